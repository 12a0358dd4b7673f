import { randomBytes, randomUUID } from 'node:crypto';
import type { TestFn } from 'ava';
import { appApiPath, appClientId } from '#shared/app/app-protocol.ts';
import { createTokenIssuer, type TokenIssuer } from '#tests/api/oauth-tokens/token-issuer.ts';
import { type ApiClient, createApiClient } from '#tests/support/api-client.ts';
import { nowOf, type Stack } from '#tests/support/stack.ts';
import type { AccountOptions, TestAccount } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** The web app of an account, signed in: below the public API's root, and below its own. */
export type WebAppClient = ApiClient & {
  app: ApiClient;
  account: TestAccount;
  sessionId: string;
  accessToken: string;
  endSession(): Promise<void>;
};

export type WebApps = {
  issuer: TokenIssuer;
  /** Another browser of the same account when one is given. */
  open(options?: AccountOptions & { account?: TestAccount }): Promise<WebAppClient>;
};

const day = 86_400_000;

/** Signs browsers in without auth-server: with sessions and a key as it keeps them. */
export async function createWebApps(stack: Stack): Promise<WebApps> {
  const { sql } = stack;
  const issuer = await createTokenIssuer(stack);
  let isKeyKnown = false;
  return {
    issuer,
    async open(options = {}) {
      const account = options.account ?? (await stack.createAccount(options));
      const { accountId } = account;
      const sessionId = randomUUID();
      const now = nowOf(stack);
      await sql`insert into auth.browser_session
        (id, secret_hash, account_id, address, user_agent, created_at, last_seen_at, expires_at)
        values (${sessionId}, ${randomBytes(32)}, ${accountId}, '198.51.100.7', 'Test browser',
          ${now}, ${now}, ${new Date(now.getTime() + 30 * day)})`;
      const accessToken = await issuer.issue({ accountId, grantId: sessionId, clientId: appClientId });
      // A service looks for unknown keys once a second.
      const isAccepted = async () => (await stack.client(accessToken).get('/me')).status === 200;
      if (!isKeyKnown) await waitFor(isAccepted, { what: 'the key of the issuer' });
      isKeyKnown = true;
      return {
        ...stack.client(accessToken),
        app: appClientOf(stack, accessToken),
        account,
        sessionId,
        accessToken,
        async endSession() {
          await sql`delete from auth.browser_session where id = ${sessionId}`;
          await stack.announceChange(accountId);
        },
      };
    },
  };
}

/** For all tests of a file: once a hook is declared, ava does not wait for what the file prepares. */
export async function startWebApps<Started extends Stack>(
  test: TestFn,
  starting: Promise<Started>,
): Promise<{ stack: Started; webApps: WebApps }> {
  const stack = await starting;
  const webApps = await createWebApps(stack);
  test.after.always(stack.close);
  return { stack, webApps };
}

/** Below the app's own root. Its responses are in no document. */
export function appClientOf({ baseUrl }: Stack, accessToken: string): ApiClient {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return createApiClient({ root: baseUrl + appApiPath, headers, check: () => undefined });
}
