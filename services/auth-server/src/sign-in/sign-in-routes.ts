import type { Request, Response } from 'express';
import { queryOf } from '#shared/http/request-input.ts';
import { readCookie, setCookie } from '../browser/browser-cookies.ts';
import { findSignedInUser } from '../browser/browser-session-service.ts';
import { readVerifiedForm, renewCsrfCookie } from '../browser/csrf.ts';
import type { Context } from '../context.ts';
import { sendPage } from '../html/page.ts';
import { formatWait } from '../html/text.ts';
import type { Route } from '../http/route.ts';
import { openOwnerSession } from '../session.ts';
import { rememberBrowser } from './known-browser.ts';
import { findRequestingApp, type SignInFormOptions, signInPage } from './sign-in-form.ts';
import { countSignIn } from './sign-in-limits.ts';
import { homePath, readReturnPath, signInPath } from './sign-in-paths.ts';
import { signIn } from './sign-in-service.ts';

export function signInRoutes(context: Context): Route[] {
  return [
    { path: signInPath, method: 'get', handler: (req, res) => show(context, req, res) },
    { path: signInPath, method: 'post', handler: (req, res) => attempt(context, req, res) },
  ];
}

async function show(context: Context, req: Request, res: Response): Promise<void> {
  const returnTo = readReturnPath(queryOf(req).get('return_to')) ?? homePath;
  if ((await findSignedInUser(context, req)) !== undefined) return res.redirect(303, returnTo);
  const isReset = queryOf(req).get('notice') === 'password-reset';
  const notice = isReset ? 'Your password is changed. Sign in with the new one.' : undefined;
  return sendForm({ context, req, res, returnTo, notice });
}

async function attempt(context: Context, req: Request, res: Response): Promise<void> {
  const form = await readVerifiedForm(context, req, res);
  const returnTo = readReturnPath(form.get('return_to')) ?? homePath;
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  const sendError = (status: number, error: string): Promise<void> =>
    sendForm({ context, req, res, returnTo, email, error }, status);
  if (email === '' || password === '') return sendError(400, 'Enter your e-mail address and your password.');

  const attempt = await countSignIn(context, req, email);
  if (!attempt.isAllowed) {
    res.set('Retry-After', String(attempt.waitSeconds));
    return sendError(429, `That was tried too often. Try again ${formatWait(attempt.waitSeconds)}.`);
  }
  const options = {
    lifetimeSeconds: context.config.browserSessionTtlSeconds,
    previousSecret: readCookie(context, req, 'session'),
  };
  const signingIn = signIn(openOwnerSession(context, req), { email, password }, options);
  const result = await signingIn.catch(async (error: unknown) => {
    // The password was not verified.
    await attempt.refund();
    throw error;
  });
  if ('refusal' in result && result.refusal === 'wrong')
    return sendError(400, 'The e-mail address or the password is not right.');
  await attempt.refund();
  if ('refusal' in result) return sendError(403, 'This account is locked. Ask whoever runs this service.');
  setCookie(context, res, 'session', result.secret);
  rememberBrowser(context, req, res, result.accountId);
  renewCsrfCookie(context, res);
  res.redirect(303, returnTo);
}

async function sendForm(options: SignInFormOptions, status = 200): Promise<void> {
  const clientName = await findRequestingApp(options.context, options.returnTo);
  sendPage(options.res, signInPage({ ...options, clientName }), { status });
}
