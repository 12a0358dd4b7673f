import { revokeToken } from '#auth-server/admin/token-admin.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import type { Cluster } from './cluster.ts';
import { type ClientAnswer, createKeepAliveClient } from './keep-alive-client.ts';

export type LoadAccount = {
  accountId: string;
  tokenSecrets: readonly string[];
  /** A token below its rate limit. Throws if there is none. */
  nextToken(): string;
  /** As `nextToken`, with tokens reserved for one client. */
  openTokens(): () => string;
};

/** Below a token's limit of 120 requests a minute, however fast they are sent. */
const requestsPerToken = 110;
/** Lower, because a client retries a request with the same token. */
const requestsPerOwnToken = 60;

/** Accounts whose tokens together allow `requests` requests in any time, spread evenly over the accounts. */
export function createLoadAccounts(
  { database }: Pick<Cluster, 'database'>,
  { accounts, requests }: { accounts: number; requests: number },
): Promise<LoadAccount[]> {
  const tokensPerAccount = Math.ceil(requests / accounts / requestsPerToken) + 1;
  return database.query(async (sql) => {
    const writer = createTestAccounts(sql);
    const made: LoadAccount[] = [];
    for (let index = 0; index < accounts; index += 1) {
      const account = await writer.createAccount({ plan: 'premium' });
      const tokens = await Promise.all(
        Array.from({ length: tokensPerAccount }, () => writer.createToken(account)),
      );
      made.push(
        toLoadAccount(
          account.accountId,
          tokens.map(({ secret }) => secret),
        ),
      );
    }
    return made;
  });
}

function toLoadAccount(accountId: string, tokenSecrets: readonly string[]): LoadAccount {
  let taken = 0;
  const open = (most: number) => {
    let token = '';
    let left = 0;
    return (): string => {
      if (left === 0) {
        token = tokenSecrets[taken] ?? '';
        taken += 1;
        left = most;
      }
      if (token === '') throw new Error('the load has used up its tokens');
      left -= 1;
      return token;
    };
  };
  return {
    accountId,
    tokenSecrets,
    nextToken: open(requestsPerToken),
    openTokens: () => open(requestsPerOwnToken),
  };
}

/** One read with each token at each replica. */
export async function readWithEach({ apiUrls }: Cluster, tokens: readonly string[]): Promise<ClientAnswer[]> {
  const answers: ClientAnswer[] = [];
  for (const url of apiUrls) {
    const client = createKeepAliveClient(url);
    for (const token of tokens)
      answers.push(await client.send({ method: 'GET', path: `${apiRootPath}/tasks?limit=1`, token }));
    client.close();
  }
  return answers;
}

export async function revokeTokens({ database, redis }: Cluster, accountId: string): Promise<void> {
  const rows = await database.query(
    (sql) => sql<{ id: string }>`select id from auth.api_token where account_id = ${accountId}`,
  );
  for (const { id } of rows) await revokeToken({ databaseUrl: database.url, redisUrl: redis.url }, id);
}
