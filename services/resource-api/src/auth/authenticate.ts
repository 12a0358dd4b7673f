import type { IncomingMessage } from 'node:http';
import { appClientId } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import type { Clock } from '#shared/time/clock.ts';
import { personalTokenClientId } from '#shared/tokens/access-token-claims.ts';
import { apiTokenPrefix, hashApiToken, isApiToken } from '#shared/tokens/api-token.ts';
import { isUuid } from '#shared/validation/fields.ts';
import type { AccessTokenVerifier, VerifiedAccessToken } from './access-token-verifier.ts';
import { readBearerToken } from './bearer-token.ts';
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

export type Authenticator = (req: IncomingMessage, query: URLSearchParams) => Promise<Principal>;

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
 * The principal of a request. Throws token_missing or token_invalid.
 * Every request reads the record behind its token, a personal token's, a connected app's or a browser session's, so
 * that a revoked, disconnected, signed-out or expired one is refused by the very next request.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { db, clock, accessTokens, tokenUses } = options;

  async function principalOfApiToken(token: string): Promise<Principal> {
    if (!isApiToken(token)) throw new TokenRefusal('malformed', 'The token is malformed.');
    const record = await findTokenByHash(db, hashApiToken(token));
    return requireLive(record, clock, ofPersonalToken).principal;
  }

  async function principalOfAccessToken(text: string): Promise<Principal> {
    const token = await accessTokens.verify(text);
    if (!isUuid(token?.accountId) || !isUuid(token?.grantId)) {
      throw new TokenRefusal(
        'not_accepted',
        'The token is malformed, expired or not issued by this service.',
      );
    }
    const { principal } = await recordOf(token);
    return {
      ...principal,
      expiresAt: new Date(token.expiresAtSeconds * 1_000),
      scopes: token.scopes.filter((scope) => principal.scopes.includes(scope)),
    };
  }

  async function recordOf(token: VerifiedAccessToken): Promise<TokenRecord> {
    if (token.clientId === personalTokenClientId) return recordOfExchanged(token);
    return token.clientId === appClientId
      ? requireLive(await findBrowserSession(db, token), clock, ofBrowserSession)
      : requireLive(await findConnectedApp(db, token), clock, ofConnectedApp);
  }

  /** The personal token that an access token was exchanged for. */
  async function recordOfExchanged(token: VerifiedAccessToken): Promise<TokenRecord> {
    const record = requireLive(await findTokenById(db, token), clock, ofPersonalToken);
    if (token.credentialVersion === record.credentialVersion) return record;
    throw new TokenRefusal(
      'password_changed',
      'The account’s password was changed after the token was issued.',
    );
  }

  return async (req, query) => {
    const token = readBearerToken(req, query);
    const isPersonal = token.startsWith(apiTokenPrefix);
    const principal = await (isPersonal ? principalOfApiToken(token) : principalOfAccessToken(token));
    tokenUses.note(principal);
    return principal;
  };
}

function requireLive(record: TokenRecord | undefined, clock: Clock, explain: Explanations): TokenRecord {
  if (record === undefined) throw new TokenRefusal('unknown', explain.unknown);
  if (record.isRevoked) throw new TokenRefusal('revoked', explain.revoked);
  if (record.expiresAt !== null && record.expiresAt <= clock.now())
    throw new TokenRefusal('expired', 'The token has expired.');
  return record;
}
