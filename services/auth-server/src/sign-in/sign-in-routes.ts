import type { Request, Response } from 'express';
import { queryOf } from '#shared/http/request-input.ts';
import { requestOrigin } from '../audit/origin.ts';
import { readCookie, setSessionCookie } from '../browser/browser-cookies.ts';
import { findVisitor } from '../browser/browser-session-service.ts';
import { readReturnPath } from '../browser/return-path.ts';
import { readTrustedForm, renewCsrfCookie } from '../browser/trusted-form.ts';
import type { Context } from '../context.ts';
import { sendPage } from '../html/send-page.ts';
import { inWaitingTime } from '../html/waiting-time.ts';
import type { Route } from '../http/route.ts';
import { openSession } from '../session.ts';
import { findAskingApp } from './asking-app.ts';
import { type SignInFormOptions, signInForm } from './sign-in-form.ts';
import { countSignIn } from './sign-in-limits.ts';
import { signInPath } from './sign-in-paths.ts';
import { signIn } from './sign-in-service.ts';
import { signOutRoutes } from './sign-out-routes.ts';
import { signUpRoutes } from './sign-up-routes.ts';

const defaultReturnPath = '/settings';

/** /sign-in, /sign-up and /sign-out. */
export function signInRoutes(context: Context): Route[] {
  return [
    { path: signInPath, method: 'get', handler: (req, res) => show(context, req, res) },
    { path: signInPath, method: 'post', handler: (req, res) => attempt(context, req, res) },
    ...signUpRoutes(context),
    ...signOutRoutes(context),
  ];
}

async function show(context: Context, req: Request, res: Response): Promise<void> {
  const returnTo = readReturnPath(queryOf(req).get('return_to')) ?? defaultReturnPath;
  if ((await findVisitor(context, req)) !== undefined) return res.redirect(303, returnTo);
  return sendForm({ context, req, res, returnTo });
}

async function attempt(context: Context, req: Request, res: Response): Promise<void> {
  const form = await readTrustedForm(context, req, res);
  const returnTo = readReturnPath(form.get('return_to')) ?? defaultReturnPath;
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  const answerProblem = (status: number, problem: string): Promise<void> =>
    sendForm({ context, req, res, returnTo, email, problem }, status);
  if (email === '' || password === '')
    return answerProblem(400, 'Enter your e-mail address and your password.');

  const attempt = await countSignIn(context, req, email);
  if (!attempt.isAllowed) {
    res.set('Retry-After', String(attempt.waitSeconds));
    return answerProblem(429, `That was tried too often. Try again ${inWaitingTime(attempt.waitSeconds)}.`);
  }
  const { config } = context;
  const session = openSession(context, requestOrigin(req, config.trustedProxyHops, 'owner'));
  const options = {
    lifetimeSeconds: config.browserSessionTtlSeconds,
    previousSecret: readCookie(context, req, 'session'),
  };
  const secret = await signIn(session, { email, password }, options).catch(async (error: unknown) => {
    // Nothing was found out about the password.
    await attempt.refund();
    throw error;
  });
  if (secret === undefined) return answerProblem(400, 'The e-mail address or the password is not right.');
  await attempt.refund();
  setSessionCookie(context, res, secret);
  renewCsrfCookie(context, res);
  res.redirect(303, returnTo);
}

async function sendForm(options: SignInFormOptions, status = 200): Promise<void> {
  const clientName = await findAskingApp(options.context, options.returnTo);
  sendPage(options.res, { title: 'Sign in', body: signInForm({ ...options, clientName }) }, { status });
}
