import { randomBytes } from 'node:crypto';
import { collection } from './directus-database.ts';

/** A running Directus, and the static token of its administrator. */
export type DirectusAdministration = { port: number; adminToken: string };

/** Who is asked about, and with which static token. */
export type DirectusUser = { accountId: string; token: string };

/**
 * A user for each account, with the account's id, whose role may read the tasks that have it and nothing else: checked
 * by Directus on every request, as the service checks whose token it is.
 */
export async function addAccounts(
  administration: DirectusAdministration,
  accountIds: readonly string[],
): Promise<DirectusUser[]> {
  await send(administration, 'PATCH', `/collections/${collection}`, { meta: {} });
  const policy = await send(administration, 'POST', '/policies', {
    name: 'Own tasks',
    app_access: false,
    admin_access: false,
    permissions: [
      { collection, action: 'read', fields: ['*'], permissions: { account_id: { _eq: '$CURRENT_USER' } } },
    ],
  });
  const role = await send(administration, 'POST', '/roles', { name: 'Account', policies: [{ policy }] });
  const users = accountIds.map((accountId) => ({ accountId, token: randomBytes(24).toString('base64url') }));
  await send(
    administration,
    'POST',
    '/users',
    users.map(({ accountId, token }) => ({ id: accountId, email: `${accountId}@example.com`, role, token })),
  );
  return users;
}

/** The id of what was made, if it was one thing. */
async function send(
  { port, adminToken }: DirectusAdministration,
  method: 'POST' | 'PATCH',
  path: string,
  content: object,
): Promise<string | undefined> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${adminToken}` },
    body: JSON.stringify(content),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`Directus answers ${method} ${path} with ${response.status}: ${body}`);
  const { data }: { data: { id?: string } } = JSON.parse(body);
  return data.id;
}
