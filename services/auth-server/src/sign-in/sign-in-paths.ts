import { appPath } from '#shared/app/app-protocol.ts';

export const signInPath = '/sign-in';
export const signOutPath = '/sign-out';
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
/** Shown on the sign-in page after a change was undone. */
export const undoneNotice = 'undone';
/** Shown on the sign-in page. */
export const passwordResetNotice = 'password-reset';
export const dataPath = '/settings/data';
/** Shown after a sign-in that cancelled a deletion. */
export const keptNotice = 'kept';

export function pathWithReturn(path: string, returnTo: string): string {
  return `${path}?${new URLSearchParams({ return_to: returnTo })}`;
}

/** `secret`: of a mailed link. */
export function pathWithLink(path: string, secret: string): string {
  return `${path}?${new URLSearchParams({ link: secret })}`;
}

/** The default page after the sign-in: the app. */
export const homePath = `${appPath}/`;

/** Keeps the page to return to. */
export function withReturn(path: string, returnTo: string | undefined): string {
  return returnTo === undefined || returnTo === homePath ? path : pathWithReturn(path, returnTo);
}

/** A new account starts on the app's first-run page, unless it has a page to return to. */
export function pathAfterSignUp(returnTo: string | null | undefined): string {
  const path = readReturnPath(returnTo);
  return path === undefined || path === homePath ? `${appPath}/inbox` : path;
}

/** Paths to return to after signing in or out; none can be parsed as a URL of another host. */
const returnPaths =
  /^\/(docs|app\/([\w-]+(\/[\w-]+)*)?|settings(\/[\w-]+)*|oauth\/interaction\/[\w-]+)(\?[\w=&%.+-]*)?$/;

/** Returns the path if it is permitted. */
export function readReturnPath(value: string | null | undefined): string | undefined {
  return value && returnPaths.test(value) ? value : undefined;
}
