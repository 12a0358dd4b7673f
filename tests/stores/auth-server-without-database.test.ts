import test from 'ava';
import { startStack } from '../support/stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { openProxiedDatabase } from './store-proxies.ts';

test('without its database auth-server responds 503 with Retry-After, in JSON and as a page', async (t) => {
  const { proxy, url } = await openProxiedDatabase(t);
  const environment = { DATABASE_WAIT_MILLISECONDS: '4000' };
  const stack = await startStack(t, { databaseUrl: url, environment, withAuthServer: true });
  const { token } = await stack.newClient();
  const client = { redirect_uris: ['https://client.example/callback'], client_name: 'App' };
  const refresh = { grant_type: 'refresh_token', client_id: 'none', refresh_token: 'none' };
  const requests = {
    exchange: () => stack.anonymous.post('/auth/token', { subjectToken: token.secret }),
    registration: () => stack.site.post('/oauth/register', client),
    token: () => stack.site.post('/oauth/token', new URLSearchParams(refresh)),
    revocation: () =>
      stack.site.post('/oauth/revoke', new URLSearchParams({ token: 'none', client_id: 'none' })),
    authorization: () => stack.site.get('/oauth/authorize?client_id=none&response_type=code'),
  };

  for (const mode of ['refuse', 'freeze'] as const) {
    proxy.setMode(mode);
    const answers = await Promise.all(Object.values(requests).map((send) => send()));
    for (const { status, headers } of answers) {
      t.is(status, 503);
      t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    proxy.setMode('pass');
    await waitFor(async () => (await requests.exchange()).status === 200);
  }
});
