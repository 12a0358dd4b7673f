import { randomUUID } from 'node:crypto';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import { hashSecret } from '#shared/tokens/secret.ts';
import type { SqlConnection } from '#tests/support/connect-sql.ts';
import { encodeRequest, type RequestParts } from './load.ts';

/** A script with a personal token, and the address it calls from. */
export type Client = { accountId: string; tokenId: string; token: string; address: string };

/**
 * Accounts with personal tokens. A token may send 120 requests a minute, so a load of thousands a second
 * comes from thousands of them, as it would in production: no limit has to be raised.
 */
export async function createClients(
  connection: SqlConnection,
  { accounts, tokensPerAccount }: { accounts: number; tokensPerAccount: number },
): Promise<Client[]> {
  const accountIds = Array.from({ length: accounts }, () => randomUUID());
  // Neighbours in the list belong to different accounts.
  const clients = Array.from({ length: accounts * tokensPerAccount }, (_, index) => ({
    accountId: accountIds[index % accounts] ?? '',
    tokenId: randomUUID(),
    token: mintApiToken(),
    address: addressOf(index),
  }));
  await connection.sql`insert into auth.account
    (id, email, email_folded, password_hash, plan, timezone, status, created_at, updated_at)
    select id, id || '@example.com', id || '@example.com', 'none', 'premium',
      'Europe/Berlin', 'active', now(), now()
    from json_array_elements_text(${JSON.stringify(accountIds)}::json) text,
      lateral (select text.value::uuid as id) account`;
  const rows = clients.map(({ accountId, tokenId, token }) => ({
    accountId,
    tokenId,
    hash: hashSecret(token).toString('hex'),
    lastFour: token.slice(-4),
  }));
  await connection.sql`insert into auth.api_token
    (id, account_id, name, scopes, token_hash, last_four, created_at)
    select "tokenId", "accountId", 'Bench', '{read,write}', decode(hash, 'hex'), "lastFour", now()
    from json_to_recordset(${JSON.stringify(rows)}::json) as token
      ("tokenId" uuid, "accountId" uuid, hash text, "lastFour" text)`;
  return clients;
}

/** 10.0.0.0/8 has enough of them. */
function addressOf(index: number): string {
  return `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`;
}

/** One request of each client, with its token and from its address. Paths are below the API's root. */
export function requestsOf(
  clients: readonly Client[],
  partsFor: (client: Client, index: number) => Pick<RequestParts, 'method' | 'path' | 'body'>,
): Buffer[] {
  return clients.map((client, index) => {
    const parts = partsFor(client, index);
    const { token, address } = client;
    return encodeRequest({ ...parts, path: apiRootPath + parts.path, token, address });
  });
}
