import type { Account } from '../accounts/account-entity.ts';
import { listApiTokens } from '../api-tokens/api-token-service.ts';
import { listConnectedApps } from '../connected-apps/connected-app-service.ts';
import type { Session } from '../session.ts';

/** What a file of the account says of it: no secret, and nothing that an import restores. */
export async function accountProfile(
  session: Session,
  { id, email, plan, timezone, createdAt }: Pick<Account, 'id' | 'email' | 'plan' | 'timezone' | 'createdAt'>,
): Promise<object> {
  const [tokens, apps] = [await listApiTokens(session, id), await listConnectedApps(session, id)];
  return {
    email,
    plan,
    timezone,
    createdAt,
    personalTokens: tokens.map(({ token, lastUsedAt }) => {
      const { name, scopes, expiresAt, createdAt: madeAt } = token;
      return { name, scopes, createdAt: madeAt, expiresAt, lastUsedAt };
    }),
    connectedApps: apps.map(({ name, scopes, createdAt: connectedAt, lastUsedAt }) => {
      return { name, scopes, connectedAt, lastUsedAt };
    }),
  };
}
