import type { Account } from '../accounts/account-entity.ts';
import { listApiTokens } from '../api-tokens/api-token-service.ts';
import { listConnectedApps } from '../connected-apps/connected-app-service.ts';
import type { Session } from '../session.ts';

/** The account's data in its exported file: no secrets, and not restored by an import. */
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
