import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Clock } from '#shared/time/clock.ts';
import { personalTokenClientId } from '#shared/tokens/access-token-claims.ts';
import { apiTokenPrefix, hashApiToken, isApiToken } from '#shared/tokens/api-token.ts';
import { isUuid } from '#shared/validation/fields.ts';
import {
  findConnectedApp,
  findTokenByHash,
  findTokenById,
  type TokenRecord,
} from '../accounts/account-repository.ts';
import type { AccessTokenVerifier, VerifiedAccessToken } from './access-token-verifier.ts';
import { readBearerToken } from './bearer-token.ts';
import type { Principal } from './principal.ts';
import { TokenRefusal } from './token-refusal.ts';
import type { TokenUseRecorder } from './token-use-recorder.ts';

/**
 * `awaitsWrites`: the look-up of the token waits for the writes of its account that are under way, and the principal
 * says when the last one was.
 */
export type Authenticator = (
  req: IncomingMessage,
  query: URLSearchParams,
  awaitsWrites?: boolean,
) => Promise<Principal>;

type AuthenticatorOptions = {
  em: EntityManager;
  clock: Clock;
  accessTokens: AccessTokenVerifier;
  tokenUses: TokenUseRecorder;
};

type Explanations = { gone: string; revoked: string };

const personalToken: Explanations = { gone: 'The token is unknown.', revoked: 'The token was revoked.' };
const appIsGone = 'The app was disconnected or its token was revoked.';
const connectedApp: Explanations = { gone: appIsGone, revoked: appIsGone };

/**
 * Who sends this request. Throws token_missing or token_invalid.
 * Every token ends at a record in PostgreSQL, a personal token's or a connected app's, which is read for every
 * request: what was revoked, disconnected or has expired is refused by the very next one.
 */
export function createAuthenticator(options: AuthenticatorOptions): Authenticator {
  const { em, clock, accessTokens, tokenUses } = options;

  const principalOfApiToken = async (token: string, awaitsWrites: boolean): Promise<Principal> => {
    if (!isApiToken(token)) throw new TokenRefusal('malformed', 'The token is malformed.');
    const found = await findTokenByHash(em, hashApiToken(token), awaitsWrites);
    return requireLive(found, clock, personalToken).principal;
  };

  const principalOfAccessToken = async (text: string, awaitsWrites: boolean): Promise<Principal> => {
    const token = await accessTokens.verify(text);
    if (!isUuid(token?.accountId) || !isUuid(token?.grantId)) {
      throw new TokenRefusal(
        'not_accepted',
        'The token is malformed, expired or not issued by this service.',
      );
    }
    const isExchanged = token.clientId === personalTokenClientId;
    const findRecord = isExchanged ? recordOfExchanged : recordOfApp;
    const { principal } = await findRecord(token, awaitsWrites);
    return { ...principal, scopes: token.scopes.filter((scope) => principal.scopes.includes(scope)) };
  };

  type FindRecord = (token: VerifiedAccessToken, awaitsWrites: boolean) => Promise<TokenRecord>;

  const recordOfExchanged: FindRecord = async (token, awaitsWrites) => {
    const found = await findTokenById(em, token, awaitsWrites);
    const record = requireLive(found, clock, personalToken);
    if (token.credentialVersion !== record.credentialVersion) {
      throw new TokenRefusal(
        'password_changed',
        'The account’s password was changed after the token was issued.',
      );
    }
    return record;
  };

  const recordOfApp: FindRecord = async (token, awaitsWrites) =>
    requireLive(await findConnectedApp(em, token, awaitsWrites), clock, connectedApp);

  return async (req, query, awaitsWrites = false) => {
    const token = readBearerToken(req, query);
    const principal = await (token.startsWith(apiTokenPrefix)
      ? principalOfApiToken(token, awaitsWrites)
      : principalOfAccessToken(token, awaitsWrites));
    tokenUses.note(principal);
    return principal;
  };
}

function requireLive(record: TokenRecord | undefined, clock: Clock, explain: Explanations): TokenRecord {
  if (record === undefined) throw new TokenRefusal('unknown', explain.gone);
  if (record.isRevoked) throw new TokenRefusal('revoked', explain.revoked);
  if (record.expiresAt !== null && record.expiresAt <= clock.now())
    throw new TokenRefusal('expired', 'The token has expired.');
  return record;
}
