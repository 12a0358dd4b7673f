import { invalidState, notFound } from '#shared/errors/errors.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { findPendingDeletion } from '../accounts/account-deletion-service.ts';
import type { ApiToken } from '../api-tokens/api-token-entity.ts';
import { createApiToken, listApiTokens, revokeApiToken } from '../api-tokens/api-token-service.ts';
import { runAsOperator, runOnAccount, type Stores } from './account-admin.ts';

type TokenAnswer = { tokenId: string } & Pick<ApiToken, 'name' | 'scopes' | 'expiresAt'>;

/** `{name, scopes, expiresAt?}`. Only this answer has the secret. Throws not_found, validation_error. */
export function addToken(
  databaseUrl: string,
  email: string,
  input: unknown,
): Promise<TokenAnswer & { secret: string }> {
  return runOnAccount({ databaseUrl }, email, async (session, { id, lockedAt }) => {
    if (lockedAt !== null) throw invalidState('the account is locked');
    if ((await findPendingDeletion(session.em, id)) !== undefined)
      throw invalidState('the account is to be deleted');
    const { token, secret } = await createApiToken(session, id, input);
    return { ...present(token), secret };
  });
}

/** The account's tokens that were not revoked, oldest first. Throws not_found. */
export function listTokens(databaseUrl: string, email: string): Promise<TokenAnswer[]> {
  return runOnAccount({ databaseUrl }, email, async (session, { id }) =>
    (await listApiTokens(session, id)).map(({ token }) => present(token)),
  );
}

/** Throws not_found. */
export function revokeToken(stores: Stores, tokenId: string): Promise<TokenAnswer> {
  return runAsOperator(stores, async (session) => {
    const token = isUuid(tokenId) ? await revokeApiToken(session, tokenId) : null;
    if (token !== null) return present(token);
    throw notFound('there is no token with that id');
  });
}

function present({ id, name, scopes, expiresAt }: ApiToken): TokenAnswer {
  return { tokenId: id, name, scopes, expiresAt };
}
