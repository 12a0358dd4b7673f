import type { Plan } from '#shared/plans.ts';
import { type Scope, scopes } from '#shared/scopes.ts';

/** What the API knows of an account: auth-server owns it, this service reads it. */
export type Account = {
  id: string;
  plan: Plan;
  timezone: string;
  status: 'active' | 'suspended';
};

/** `browser` is the account's owner in the web app, `operator` the command line. */
export type PrincipalKind = 'app' | 'token' | 'browser' | 'operator';

/** The client: a personal token, a connected app or a browser in which the account's owner is signed in. */
export type Principal = {
  account: Account;
  kind: PrincipalKind;
  /** The token, the app or the browser session. Limits count by it. */
  credentialId: string;
  /** The same, but one id for all browsers of the account: idempotency keys outlive a sign-in. */
  tokenId: string;
  tokenName: string;
  scopes: readonly Scope[];
  /** Expiry of the access token; personal tokens are looked up by every request. */
  expiresAt?: Date;
  /** Id of an assistant's call or a command of the web app, which may be several transactions. */
  callId?: string;
};

/** The operator, acting for the account without a token and with its owner's rights. */
export function operatorFor(account: Account): Principal {
  return { account, kind: 'operator', credentialId: '', tokenId: '', tokenName: 'operator', scopes };
}
