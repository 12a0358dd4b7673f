import { queryOf } from '#shared/http/request-input.ts';
import { findAddressOf } from '../accounts/account-service.ts';
import { sendPage } from '../html/page.ts';
import type { Exchange, Route } from '../http/route.ts';
import { useAuthenticatorCode } from '../second-factor/authenticator-app-service.ts';
import { usePasskey } from '../second-factor/passkey-service.ts';
import { passkeySiteOf } from '../second-factor/passkey-site.ts';
import { useRecoveryCode } from '../second-factor/recovery-code-service.ts';
import { hasSecondFactor } from '../second-factor/second-factor-service.ts';
import { openOwnerSession } from '../session.ts';
import { browserOptions } from './known-browser.ts';
import { leadToSignIn } from './passed-address.ts';
import { readProof } from './password-proof.ts';
import { secondFactorPage, secondFactorPurpose } from './second-factor-form.ts';
import { enterBrowser } from './sign-in-cookie.ts';
import { lockedMessage, passkeySignInPurpose, readSignInForm, sendSignInForm } from './sign-in-form.ts';
import { countCode, verifyCounted } from './sign-in-limits.ts';
import {
  homePath,
  passkeySignInPath,
  pathWithReturn,
  readReturnPath,
  secondFactorPath,
  signInPath,
} from './sign-in-paths.ts';
import { type PasswordProof, recordFailedCode, signInVerified } from './sign-in-service.ts';

export const secondFactorRoutes: readonly Route[] = [
  { path: secondFactorPath, method: 'get', handler: show },
  { path: secondFactorPath, method: 'post', handler: proceed },
  {
    path: passkeySignInPath,
    method: 'get',
    handler: async ({ res }) => res.redirect(303, signInPath),
  },
  { path: passkeySignInPath, method: 'post', handler: signInByPasskey },
];

/** At its own URL, so that the browser can go back to it. */
async function show(exchange: Exchange): Promise<void> {
  const { req, res } = exchange;
  const query = queryOf(req);
  const returnTo = readReturnPath(query.get('return_to')) ?? homePath;
  const proof = readProof(query.get('proof') ?? '', exchange);
  if (proof === undefined || proof.isTooOld) return res.redirect(303, pathWithReturn(signInPath, returnTo));
  sendPage(res, await secondFactorPage({ ...exchange, proof, returnTo }));
}

async function proceed(exchange: Exchange): Promise<void> {
  const form = await readSignInForm(exchange);
  if (form === undefined) return;
  const returnTo = readReturnPath(form.get('return_to')) ?? homePath;
  const proof = readProof(form.get('proof') ?? '', exchange);
  if (proof === undefined || proof.isTooOld) return startAgain(exchange, proof?.accountId, returnTo);
  const session = openOwnerSession(exchange.context, exchange.req);
  // The factor was removed in another browser, so no code is valid.
  if (!(await hasSecondFactor(session, proof.accountId)))
    return startAgain(exchange, proof.accountId, returnTo);
  const refusal = form.get('passkey')
    ? await refusePasskey(exchange, proof, form.get('passkey') ?? '')
    : await refuseCode(exchange, proof, form.get('code') ?? '');
  if (refusal !== undefined) {
    const { status, ...errors } = refusal;
    const page = await secondFactorPage({ ...exchange, proof, returnTo, ...errors });
    return sendPage(exchange.res, page, { status });
  }
  return enter(exchange, proof, returnTo);
}

type Refusal = { status: number; error?: string; isCodeWrong?: true };

async function refusePasskey(
  exchange: Exchange,
  { accountId }: PasswordProof,
  passkey: string,
): Promise<Refusal | undefined> {
  const site = passkeySiteOf(exchange);
  const session = openOwnerSession(exchange.context, exchange.req);
  const used = await usePasskey(session, site, secondFactorPurpose, passkey);
  return used?.accountId === accountId ? undefined : { status: 400, error: `${passkeyRefused} use a code.` };
}

const passkeyRefused =
  'That passkey was not accepted. If it was removed from your account, trying again cannot help:';

/** Counted before the verification, so that parallel guesses cannot exceed the limit. */
async function refuseCode(
  { context, req, res }: Exchange,
  { accountId }: PasswordProof,
  code: string,
): Promise<Refusal | undefined> {
  const guess = await countCode(context, req, accountId);
  if (!guess.isAllowed) {
    res.set(guess.headers);
    return { status: 429, error: `Too many attempts. ${guess.tryAgain}` };
  }
  const session = openOwnerSession(context, req);
  const verifying = useAuthenticatorCode(session, context.authenticatorCipher, accountId, code).then(
    (isCode) => isCode || useRecoveryCode(session, accountId, code),
  );
  const isRight = await verifyCounted(guess, verifying);
  if (!isRight) {
    await recordFailedCode(session, accountId);
    return { status: 400, isCodeWrong: true };
  }
  await guess.refund();
  return undefined;
}

async function signInByPasskey(exchange: Exchange): Promise<void> {
  const form = await readSignInForm(exchange);
  if (form === undefined) return;
  const returnTo = readReturnPath(form.get('return_to')) ?? homePath;
  const site = passkeySiteOf(exchange);
  const session = openOwnerSession(exchange.context, exchange.req);
  const used = await usePasskey(session, site, passkeySignInPurpose, form.get('passkey') ?? '');
  if (used === undefined)
    return sendSignInForm({ ...exchange, returnTo, error: `${passkeyRefused} use your password.` }, 400);
  return enter(exchange, used, returnTo);
}

async function enter(exchange: Exchange, verified: PasswordProof, returnTo: string): Promise<void> {
  const { context, req } = exchange;
  const result = await signInVerified(openOwnerSession(context, req), verified, browserOptions(context, req));
  if ('secret' in result) return enterBrowser(exchange, result, returnTo);
  if (result.refusal === 'locked')
    return sendSignInForm({ ...exchange, returnTo, error: lockedMessage }, 403);
  // All access was ended since the proof.
  return startAgain(exchange, verified.accountId, returnTo);
}

async function startAgain(
  exchange: Exchange,
  accountId: string | undefined,
  returnTo: string,
): Promise<void> {
  const session = openOwnerSession(exchange.context, exchange.req);
  const email = accountId === undefined ? '' : await findAddressOf(session, accountId);
  leadToSignIn(exchange, { notice: 'too-late', email, returnTo });
}
