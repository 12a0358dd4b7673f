import type { Sql } from '#tests/support/connect-sql.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';

export type LoadAccount = {
  accountId: string;
  /** A token that has requests left. Throws an Error when none has. */
  nextToken(): string;
  tokenSecrets: readonly string[];
  /** A token that nobody else uses. Throws an Error when there is none left. */
  takeToken(): string;
};

/** Below the 120 a minute that a token may send, however fast they are sent. */
const requestsPerToken = 110;

/** Accounts whose tokens together allow `requests` requests in any time, spread evenly over the accounts. */
export async function createLoadAccounts(
  sql: Sql,
  options: { accounts: number; requests: number },
): Promise<LoadAccount[]> {
  const tokensPerAccount = Math.ceil(options.requests / options.accounts / requestsPerToken) + 1;
  const made: LoadAccount[] = [];
  const writer = createTestAccounts(sql);
  for (let index = 0; index < options.accounts; index += 1) {
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
}

function toLoadAccount(accountId: string, tokenSecrets: readonly string[]): LoadAccount {
  let used = 0;
  let taken = 0;
  return {
    accountId,
    tokenSecrets,
    takeToken() {
      const token = tokenSecrets[taken];
      taken += 1;
      if (token === undefined) throw new Error('the load has used up its tokens');
      return token;
    },
    nextToken() {
      const token = tokenSecrets[Math.floor(used / requestsPerToken)];
      used += 1;
      if (token === undefined) throw new Error('the load has used up its tokens');
      return token;
    },
  };
}
