import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { type ApiClient, type ClientOptions, createApiClient } from '#tests/support/api-client.ts';
import type { Sql } from '#tests/support/connect-sql.ts';
import { createTestAccounts, type TestAccount } from '#tests/support/test-accounts.ts';

/** Below the 120 that a token may send in a minute. */
const requestsPerToken = 110;

/** `withOneToken`: for a request that may be sent again, since an idempotency key is its token's. */
type RotatingClient = ApiClient & { withOneToken(): Promise<ApiClient> };

/** A client that changes its token before it reaches the token's limit. `check` receives each response. */
export function openRotatingClient(
  url: string,
  sql: Sql,
  account: TestAccount,
  check: ClientOptions['check'] = () => undefined,
): RotatingClient {
  const accounts = createTestAccounts(sql);
  const root = url + apiRootPath;
  let sent = 0;
  let present = Promise.resolve(createApiClient({ root, check }));
  const next = (): Promise<ApiClient> => {
    if (sent % requestsPerToken === 0) present = openWithNewToken();
    sent += 1;
    return present;
  };
  const openWithNewToken = async (): Promise<ApiClient> => {
    const { secret } = await accounts.createToken(account);
    return createApiClient({ root, headers: { Authorization: `Bearer ${secret}` }, check });
  };
  return {
    withOneToken: next,
    request: async (...request) => (await next()).request(...request),
    get: async (...request) => (await next()).get(...request),
    delete: async (...request) => (await next()).delete(...request),
    post: async (...request) => (await next()).post(...request),
    patch: async (...request) => (await next()).patch(...request),
    raw: async (bytes) => (await next()).raw(bytes),
    with: () => {
      throw new Error('this client chooses its own headers');
    },
  };
}
