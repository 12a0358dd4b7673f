import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createClientDocumentFetch } from '#auth-server/clients/fetch-client-document.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { words } from '#tests/support/words.ts';
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

test.serial('a connected app redeems, refreshes and revokes while its document’s host is away', async (t) => {
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
});

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
  test.serial(`a client whose document’s host ${what} is told to come again`, async (t) => {
    const { host, clientId } = await openClient(t);
    host.answerWith(answer);
    const revoked = await endpoints.revoke({ client_id: clientId, token: 'unknown' });
    t.is(revoked.status, 503);
    t.is(JSON.parse(revoked.body).error, 'temporarily_unavailable');
    const page = await endpoints.authorize(authorizationRequest(clientId).parameters);
    t.deepEqual([page.status, page.headers.get('location')], [503, null]);
    t.regex(page.body, /The site where the app describes itself does not answer now/);
    for (const { headers } of [revoked, page]) t.is(headers.get('retry-after'), '10');
  });
}

test.serial(
  'while a client’s document can’t be fetched, people can sign in, and wrong passwords are recorded',
  async (t) => {
    const { host, clientId } = await openClient(t);
    const browser = createPageBrowser(world.stack.baseUrl);
    const page = await browser.get(endpoints.authorizeUrl(authorizationRequest(clientId).parameters));
    await host.close();
    fetchDocument = reachHost();
    const { email, password } = world.owner;
    const refused = await browser.submit(page, '/sign-in', { email, password: 'another password' });
    t.deepEqual([refused.status, refused.invalidFields], [400, ['password']]);
    // After the response.
    await waitFor(async () => {
      const rows = await world.stack.sql`select 1 from auth.audit_event
      where account_id = ${world.owner.accountId} and event = 'sign_in_failed'`;
      return rows.length === 1;
    });
    const returnTo = page.form('/sign-in').fields.find(([name]) => name === 'return_to')?.[1] ?? '';
    for (const path of ['/sign-in', '/sign-up'])
      t.is((await browser.get(`${path}?return_to=${returnTo}`)).status, 200, path);
    const signedIn = await browser.submit(refused, '/sign-in', { email, password });
    t.deepEqual([signedIn.status, signedIn.location], [303, returnTo]);
    const { status, heading } = await browser.get(returnTo);
    t.deepEqual([status, heading], [503, 'This app can’t be reached']);
  },
);

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

/** Names that an attacker has let point into our network; no other name is known. */
const resolved: Record<string, string[]> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'other-loopback.example': ['127.255.0.7'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'mapped-hex.example': ['::ffff:7f00:1'],
  'any.example': ['0.0.0.0'],
  'both.example': ['93.184.215.14', '127.0.0.1'],
  'both-turned.example': ['127.0.0.1', '93.184.215.14'],
  'metadata.example': ['169.254.169.254'],
  'private.example': ['10.0.0.1'],
};

/** Addresses of our own network in every spelling, and whatever else is no address of a document. */
const noDocuments = (port: number) => [
  `https://127.0.0.1:${port}/client.json`,
  `https://[::1]:${port}/client.json`,
  `https://127.1:${port}/client.json`,
  `https://2130706433:${port}/client.json`,
  `https://0x7f000001:${port}/client.json`,
  `https://0.0.0.0:${port}/client.json`,
  `https://[::ffff:127.0.0.1]:${port}/client.json`,
  `https://[::]:${port}/client.json`,
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://10.0.0.1/client.json',
  'https://192.168.0.1/client.json',
  `http://127.0.0.1:${port}/client.json`,
  `https://user:password@localhost:${port}/client.json`,
  `https://app.example.com@localhost:${port}/client.json`,
  `https://localhost:${port}/a/../client.json`,
  `https://localhost:${port}/client.json#fragment`,
  ...words(`https:// https://client.example https://client.example/ ftp://client.example/c
    HTTPS://client.example/c https:client.example/c https://client.example/c#
    https://client.example/a/%2e%2e/c https://client.example/./c
    https://@client.example/c https://client.example:443/c https://Client.example/c https://client.example\\c
    https://ö.example/c`),
  ' https://client.example/c',
  'https://client.example/c\n',
  `https://client.example/${'c'.repeat(2_048)}`,
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_flushall',
];

/** Without what differs from request to request. */
function plain(page: string): string {
  return page.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '').replace(/value="[\w-]{43}"/g, '');
}

async function answersTo(clientId: string) {
  const page = await endpoints.authorize(authorizationRequest(clientId).parameters);
  const revocation = await endpoints.revoke({ client_id: clientId, token: 'x' });
  return {
    page: [page.status, page.headers.get('location'), plain(page.body)],
    revocation: [revocation.status, revocation.body],
  };
}

test.serial(
  'client ids in our network look unreachable, with no fetch (draft-ietf-oauth-client-id-metadata-document)',
  async (t) => {
    let connections = 0;
    const server = createServer().on('connection', (socket) => {
      connections += 1;
      socket.destroy();
    });
    await once(server.listen(0), 'listening');
    t.teardown(() => server.close());
    const { port } = server.address() as AddressInfo;
    fetchDocument = createClientDocumentFetch({
      resolve: async (name) => resolved[name] ?? Promise.reject(new Error(`${name} is not known`)),
    });
    const unreachable = await answersTo('https://unknown.example/client.json');
    t.deepEqual([unreachable.page[0], unreachable.revocation[0]], [503, 503]);
    const hosts = [...Object.keys(resolved), 'localhost', 'localhost.localdomain'].map(
      (name) => `${name}:${port}`,
    );
    for (const host of [...hosts, 'metadata.google.internal'])
      t.deepEqual(await answersTo(`https://${host}/client.json`), unreachable, host);

    const unknown = await answersTo('app_unknown');
    t.deepEqual([unknown.page[0], unknown.revocation[0]], [400, 400]);
    for (const address of noDocuments(port)) t.deepEqual(await answersTo(address), unknown, address);
    t.is(connections, 0);
  },
);
