import type { RequestListener } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import { type DocumentHost, openDocumentHost, reachHost, sendDocument } from './client-document-host.ts';
import { defaultRedirectUri } from './oauth-endpoints.ts';
import {
  authorizationRequest,
  connectApp,
  obtainCode,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

/** Each call is a process that has just started: it remembers no document. */
let fetchDocument = reachHost();
const world = await startOAuthWorld(undefined, { fetchDocument: (url) => fetchDocument(url) });
test.after.always(() => world.stack.close());
const { endpoints } = world;

async function openClient(t: ExecutionContext): Promise<{ host: DocumentHost; clientId: string }> {
  const host = await openDocumentHost(t);
  host.answerWith((req, res) => sendDocument(req, res, {}, { redirect_uris: [defaultRedirectUri] }));
  return { host, clientId: host.urlOf('/client.json').href };
}

test.serial(
  'an app that is connected redeems, refreshes and revokes while its document’s host is away',
  async (t) => {
    const { host, clientId } = await openClient(t);
    const { redemption } = await obtainCode(world, { clientId });
    await host.close();
    fetchDocument = reachHost();
    const redeemed = await endpoints.token(redemption);
    t.is(redeemed.status, 200);
    const refreshed = await endpoints.token({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: redeemed.body.refresh_token,
    });
    t.is(refreshed.status, 200);
    const { access_token: access, refresh_token: refresh } = refreshed.body;
    t.is(await endpoints.me(access), 200);
    t.like(await endpoints.revoke({ client_id: clientId, token: access }), { status: 200, body: '' });
    t.is(await endpoints.me(access), 401);
    t.is(await endpoints.me(redeemed.body.access_token), 200);
    t.like(await endpoints.revoke({ client_id: clientId, token: refresh }), { status: 200, body: '' });
    t.is(await endpoints.me(redeemed.body.access_token), 401);
    t.is(host.requests.length, 1);
  },
);

test.serial('a token is good for the client alone that it was issued to, without its document', async (t) => {
  const { host, clientId } = await openClient(t);
  const app = await connectApp(world, { clientId });
  const other = await openClient(t);
  await Promise.all([host.close(), other.host.close()]);
  fetchDocument = reachHost();
  for (const client_id of [other.clientId, await registerClient(world)]) {
    const stolen = await endpoints.token({ ...refreshRequest(app), client_id });
    t.like(stolen, { status: 400, body: { error: 'invalid_grant' } });
  }
  t.is((await endpoints.revoke({ client_id: other.clientId, token: app.tokens.refresh_token })).status, 503);
  t.is((await endpoints.token(refreshRequest(app))).status, 200);
});

const outages: Record<string, RequestListener> = {
  'answers 500': (_req, res) => res.writeHead(500).end(),
  'answers 429': (_req, res) => res.writeHead(429).end(),
  'breaks its connections': (_req, res) => res.destroy(),
};

for (const [what, answer] of Object.entries(outages)) {
  test.serial(
    `a client whose document’s host ${what} is told to come again, not to forget itself`,
    async (t) => {
      const { host, clientId } = await openClient(t);
      host.answerWith(answer);
      const revoked = await endpoints.revoke({ client_id: clientId, token: 'unknown' });
      t.is(revoked.status, 503);
      t.is(JSON.parse(revoked.body).error, 'temporarily_unavailable');
      const page = await endpoints.authorize(authorizationRequest(clientId).parameters);
      t.deepEqual([page.status, page.headers.get('location')], [503, null]);
      t.regex(page.body, /The site where the app describes itself does not answer now/);
      for (const { headers } of [revoked, page]) t.is(headers.get('retry-after'), '10');
    },
  );
}

const ends: Record<string, RequestListener> = {
  'is gone': (_req, res) => res.writeHead(410).end(),
  'is not found': (_req, res) => res.writeHead(404).end(),
  'is of another client': (req, res) => sendDocument(req, res, {}, { client_id: 'https://a.example/c' }),
  'names no redirect URI': (req, res) => sendDocument(req, res),
};

for (const [what, answer] of Object.entries(ends)) {
  test.serial(`a client whose document ${what} is not known`, async (t) => {
    const { host, clientId } = await openClient(t);
    host.answerWith(answer);
    const revoked = await endpoints.revoke({ client_id: clientId, token: 'unknown' });
    t.deepEqual([revoked.status, JSON.parse(revoked.body).error], [400, 'invalid_client']);
    const page = await endpoints.authorize(authorizationRequest(clientId).parameters);
    t.is(page.status, 400);
    t.regex(page.body, /is not known to this server/);
  });
}
