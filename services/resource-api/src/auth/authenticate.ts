import { appClientId } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import type { Clock } from '#shared/time/clock.ts';
import { personalTokenClientId } from '#shared/tokens/access-token-claims.ts';
import { apiTokenPrefix, isApiToken } from '#shared/tokens/api-token.ts';
import { isUuid } from '#shared/validation/fields.ts';
import type { AccessTokenVerifier } from './access-token-verifier.ts';
import type { BearerToken } from './bearer-token.ts';
import type { Principal } from './principal.ts';
import { TokenRefusal } from './token-refusal.ts';
import {
  findBrowserSession,
  findConnectedApp,
  findTokenByHash,
  findTokenById,
  type TokenRecord,
} from './token-repository.ts';
import type { TokenUseRecorder } from './token-use-recorder.ts';

/** Returns the record of a token, cached or read. */
type ReadThrough = (
  digest: string,
  read: () => Promise<TokenRecord | undefined>,
) => Promise<TokenRecord | undefined>;

export type Authenticator = (
  sent: BearerToken | { refusal: TokenRefusal },
  readThrough: ReadThrough,
) => Promise<Principal>;

type AuthenticatorOptions = {
  db: Queryable;
  clock: Clock;
  accessTokens: AccessTokenVerifier;
  tokenUses: TokenUseRecorder;
};

type Explanations = { unknown: string; revoked: string };

const ofPersonalToken: Explanations = { unknown: 'The token is unknown.', revoked: 'The token was revoked.' };
const disconnected = 'The app was disconnected or its token was revoked.';
const ofConnectedApp: Explanations = { unknown: disconnected, revoked: disconnected };
const signedOut = 'The browser was signed out.';
const ofBrowserSession: Explanations = { unknown: signedOut, revoked: signedOut };

/**
 * The principal of a request, from its token and the record behind it: a personal token's, a connected app's
 * or a browser session's. Signature, expiry and revocation are checked each time. Throws token_missing or
 * token_invalid.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { db, clock, accessTokens, tokenUses } = options;

  async function principalOfApiToken(
    { token, digest }: BearerToken,
    readThrough: ReadThrough,
  ): Promise<Principal> {
    if (!isApiToken(token)) throw new TokenRefusal('malformed', 'The token is malformed.');
    const record = await readThrough(digest, () => findTokenByHash(db, Buffer.from(digest, 'base64url')));
    return requireLive(record, clock, ofPersonalToken).principal;
  }

  async function principalOfAccessToken(sent: BearerToken, readThrough: ReadThrough): Promise<Principal> {
    const token = await accessTokens.verify(sent);
    if (!isUuid(token?.accountId) || !isUuid(token?.grantId)) {
      throw new TokenRefusal(
        'not_accepted',
        'The token is malformed, expired or not issued by this service.',
      );
    }
    const { find, explanations } = sourceOf(token.clientId);
    const record = await readThrough(sent.digest, () => find(db, token));
    const { principal, credentialVersion } = requireLive(record, clock, explanations);
    if (find === findTokenById && token.credentialVersion !== credentialVersion)
      throw new TokenRefusal(
        'password_changed',
        'The account’s password was changed after the token was issued.',
      );
    return {
      ...principal,
      expiresAt: new Date(token.expiresAtSeconds * 1_000),
      scopes: token.scopes.filter((scope) => principal.scopes.includes(scope)),
    };
  }

  return async (sent, readThrough) => {
    if ('refusal' in sent) throw sent.refusal;
    const isPersonal = sent.token.startsWith(apiTokenPrefix);
    const principal = await (isPersonal ? principalOfApiToken : principalOfAccessToken)(sent, readThrough);
    tokenUses.note(principal);
    return principal;
  };
}

/** Where the record of an access token is stored. */
function sourceOf(clientId: string) {
  if (clientId === personalTokenClientId) return { find: findTokenById, explanations: ofPersonalToken };
  return clientId === appClientId
    ? { find: findBrowserSession, explanations: ofBrowserSession }
    : { find: findConnectedApp, explanations: ofConnectedApp };
}

function requireLive(record: TokenRecord | undefined, clock: Clock, explain: Explanations): TokenRecord {
  if (record === undefined) throw new TokenRefusal('unknown', explain.unknown);
  if (record.isRevoked) throw new TokenRefusal('revoked', explain.revoked);
  if (record.expiresAt !== null && record.expiresAt <= clock.now())
    throw new TokenRefusal('expired', 'The token has expired.');
  return record;
}
