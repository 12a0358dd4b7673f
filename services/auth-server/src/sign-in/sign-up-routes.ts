import type { Request, Response } from 'express';
import { queryOf } from '#shared/http/request-input.ts';
import { EmailTakenError } from '../accounts/email-taken-error.ts';
import { requestOrigin } from '../audit/origin.ts';
import { readCookie, setSessionCookie } from '../browser/browser-cookies.ts';
import { findVisitor } from '../browser/browser-session-service.ts';
import { readReturnPath } from '../browser/return-path.ts';
import { readTrustedForm, renewCsrfCookie } from '../browser/trusted-form.ts';
import type { Context } from '../context.ts';
import { type FormMember, formProblems } from '../html/form-problems.ts';
import { PageError } from '../html/page-error.ts';
import { sendPage } from '../html/send-page.ts';
import { inWaitingTime } from '../html/waiting-time.ts';
import type { Route } from '../http/route.ts';
import { openSession } from '../session.ts';
import { findAskingApp } from './asking-app.ts';
import { countSignUp } from './sign-in-limits.ts';
import { signUpPath } from './sign-in-paths.ts';
import { signUp } from './sign-in-service.ts';
import { type SignUpFormOptions, signUpForm } from './sign-up-form.ts';

/** A new account is most often made to get a token, or to connect an app, which says where to return to. */
const defaultReturnPath = '/settings/api';

const members: Readonly<Record<string, FormMember>> = {
  email: { field: 'email', subject: 'This' },
  password: { field: 'password', subject: 'The password' },
  timezone: { field: 'timezone', says: 'Choose one of the time zones in the list.' },
};

export function signUpRoutes(context: Context): Route[] {
  return [
    { path: signUpPath, method: 'get', handler: (req, res) => show(context, req, res) },
    { path: signUpPath, method: 'post', handler: (req, res) => attempt(context, req, res) },
  ];
}

async function show(context: Context, req: Request, res: Response): Promise<void> {
  requireOpen(context);
  const returnTo = readReturnPath(queryOf(req).get('return_to')) ?? defaultReturnPath;
  if ((await findVisitor(context, req)) !== undefined) return res.redirect(303, returnTo);
  return sendForm({ context, req, res, returnTo });
}

async function attempt(context: Context, req: Request, res: Response): Promise<void> {
  requireOpen(context);
  const form = await readTrustedForm(context, req, res);
  const returnTo = readReturnPath(form.get('return_to')) ?? defaultReturnPath;
  const email = (form.get('email') ?? '').trim();
  const timezone = form.get('timezone') || undefined;
  const filled = { context, req, res, returnTo, email, timezone };

  const attempt = await countSignUp(context, req);
  if (!attempt.isAllowed) {
    res.set('Retry-After', String(attempt.waitSeconds));
    const refusal = `Too many accounts were asked for from your address. Try again ${inWaitingTime(attempt.waitSeconds)}.`;
    return sendForm({ ...filled, refusal }, 429);
  }
  const { browserSessionTtlSeconds: lifetimeSeconds, trustedProxyHops } = context.config;
  const session = openSession(context, requestOrigin(req, trustedProxyHops, 'owner'));
  const previousSecret = readCookie(context, req, 'session');
  try {
    const input = { email, password: form.get('password') ?? '', timezone };
    setSessionCookie(context, res, await signUp(session, input, { lifetimeSeconds, previousSecret }));
  } catch (error) {
    if (!(error instanceof EmailTakenError)) await attempt.refund();
    return sendForm({ ...filled, problems: formProblems(error, members) }, 400);
  }
  renewCsrfCookie(context, res);
  res.redirect(303, returnTo);
}

async function sendForm(options: SignUpFormOptions, status = 200): Promise<void> {
  const clientName = await findAskingApp(options.context, options.returnTo);
  const body = signUpForm({ ...options, clientName });
  sendPage(options.res, { title: 'Create an account', body }, { status });
}

function requireOpen({ config }: Context): void {
  if (config.signUp === 'open') return;
  throw new PageError({
    status: 403,
    title: 'Sign-up is closed',
    message: 'Accounts are made by whoever runs this service. Ask them for one.',
  });
}
