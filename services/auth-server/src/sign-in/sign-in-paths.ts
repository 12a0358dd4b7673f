import { appPath } from '#shared/app/app-protocol.ts';

export const signInPath = '/sign-in';
export const signUpPath = '/sign-up';
export const confirmSignUpPath = '/sign-up/confirm';
export const confirmAddressPath = '/sign-in/address';
export const undoAddressPath = '/sign-in/address/undo';
export const undoFactorPath = '/sign-in/second-factor/undo';
export const forgotPath = '/sign-in/forgot';
export const secondFactorPath = '/sign-in/second-factor';
export const passkeySignInPath = '/sign-in/passkey';
export const securityPath = '/settings/security';
export const resetPath = '/sign-in/reset';
/** Shown there after a change was taken back. */
export const undoneNotice = 'undone';
/** Shown on the page to sign in. */
export const passwordResetNotice = 'password-reset';
export const dataPath = '/settings/data';
/** Shown there after a sign-in that ended a deletion. */
export const keptNotice = 'kept';

export function pathWithReturn(path: string, returnTo: string): string {
  return `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}

/** `secret`: of a link that is sent by mail. */
export function pathWithLink(path: string, secret: string): string {
  return `${path}?${new URLSearchParams({ link: secret })}`;
}

/** Where a sign-in leads that nothing else was asked for: the app. */
export const homePath = `${appPath}/`;

/** What was interrupted is not forgotten on the way. */
export function withReturn(path: string, returnTo: string | undefined): string {
  return returnTo === undefined || returnTo === homePath ? path : pathWithReturn(path, returnTo);
}

/** A new account starts where the app shows how to begin, unless it was made for something else. */
export function pathAfterSignUp(returnTo: string | null | undefined): string {
  const path = readReturnPath(returnTo);
  return path === undefined || path === homePath ? `${appPath}/inbox` : path;
}

/** Own pages that signing in or out leads back to; none can be read as the address of another host. */
const returnPaths =
  /^\/(docs|app\/([\w-]+(\/[\w-]+)*)?|settings(\/[\w-]+)*|oauth\/interaction\/[\w-]+)(\?[\w=&%.+-]*)?$/;

/** The path as it was given, if it is one that may be returned to. */
export function readReturnPath(value: string | null | undefined): string | undefined {
  return value && returnPaths.test(value) ? value : undefined;
}
