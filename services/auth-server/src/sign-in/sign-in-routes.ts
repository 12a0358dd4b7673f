import { queryOf } from '#shared/http/request-input.ts';
import { findBrowserUser, lacksSecondFactor } from '../browser/browser-session-service.ts';
import type { Context } from '../context.ts';
import type { Exchange, Route } from '../http/route.ts';
import { openOwnerSession } from '../session.ts';
import { browserOptions } from './known-browser.ts';
import { takeAddress } from './passed-address.ts';
import { signProof } from './password-proof.ts';
import { pathWithProof } from './second-factor-form.ts';
import { enterBrowser } from './sign-in-cookie.ts';
import { lockedMessage, readSignInForm, sendSignInForm } from './sign-in-form.ts';
import { countSignIn, verifyCounted } from './sign-in-limits.ts';
import {
  homePath,
  passwordResetNotice,
  pathWithReturn,
  readReturnPath,
  securityPath,
  signInPath,
} from './sign-in-paths.ts';
import { recordFailedSignIn, signIn } from './sign-in-service.ts';

export const signInRoutes: readonly Route[] = [
  { path: signInPath, method: 'get', handler: show },
  { path: signInPath, method: 'post', handler: attempt },
];

/** Notices by the name in the cookie. */
const notices = new Map<string, (context: Context) => string>([
  ['too-late', () => 'That took too long, or the account has changed meanwhile: enter your password again.'],
  ['signed-out', () => 'You were signed out meanwhile: nothing was changed. Sign in, and do it again.'],
  [passwordResetNotice, () => 'Your password has been changed. Sign in with the new one.'],
  [
    'deletion-asked',
    ({ config: { accountDeletionDays: days } }) =>
      days === 0
        ? 'You are signed out everywhere, and your account is deleted.'
        : 'You are signed out everywhere, ' +
          `and your account will be deleted in ${days} ${days === 1 ? 'day' : 'days'}. ` +
          'Sign in before then to keep it.',
  ],
]);

async function show(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const returnTo = readReturnPath(queryOf(req).get('return_to')) ?? homePath;
  const user = await findBrowserUser(context, req);
  if (user !== undefined) {
    const isComplete = !lacksSecondFactor(context, user);
    return res.redirect(303, isComplete ? returnTo : pathWithReturn(securityPath, returnTo));
  }
  const wanted = notices.get(queryOf(req).get('notice') ?? '');
  // Passed by the redirecting page in a cookie: a URL cannot make the page show a notice.
  const email = wanted && takeAddress(exchange);
  const notice = email === undefined ? undefined : wanted?.(context);
  return sendSignInForm({ ...exchange, returnTo, notice, email });
}

async function attempt(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const form = await readSignInForm(exchange);
  if (form === undefined) return;
  const returnTo = readReturnPath(form.get('return_to')) ?? homePath;
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  const sendError = (status: number, error: string): Promise<void> =>
    sendSignInForm({ ...exchange, returnTo, email, error }, status);
  if (email === '' || password === '') {
    const errors = {
      ...(email === '' && { email: ['Enter your e-mail address.'] }),
      ...(password === '' && { password: ['Enter your password.'] }),
    };
    return sendSignInForm({ ...exchange, returnTo, email, errors }, 400);
  }

  const attempt = await countSignIn(context, req, email);
  if (!attempt.isAllowed) {
    res.set(attempt.headers);
    return sendError(429, `Too many attempts. ${attempt.tryAgain}`);
  }
  const options = browserOptions(context, req);
  const signingIn = signIn(openOwnerSession(context, req), { email, password }, options);
  const result = await verifyCounted(attempt, signingIn);
  if ('refusal' in result && result.refusal === 'wrong') {
    const errors = { password: ['The e-mail address or the password is wrong.'] };
    await sendSignInForm({ ...exchange, returnTo, email, errors }, 400);
    const recording = recordFailedSignIn(openOwnerSession(context, req), email);
    return recording.catch((err: unknown) =>
      context.logger.warn({ err }, 'a failed sign-in was not recorded'),
    );
  }
  await attempt.refund();
  if ('refusal' in result) return sendError(403, lockedMessage);
  if ('secret' in result) return enterBrowser(exchange, result, returnTo);
  res.redirect(303, pathWithProof(signProof(result.proof, exchange), returnTo));
}
