import { createServer, type Server } from 'node:net';
import test from 'ava';
import { createClientDocumentFetch } from '#auth-server/clients/fetch-client-document.ts';
import { authorizationRequest, startOAuthWorld } from './oauth-flow.ts';

/** Names that an attacker has let point into our network; no other name is known. */
const resolved: Record<string, string[]> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'any.example': ['0.0.0.0'],
  'both.example': ['93.184.215.14', '127.0.0.1'],
  'metadata.example': ['169.254.169.254'],
  'private.example': ['10.0.0.1'],
};
const fetchDocument = createClientDocumentFetch({
  resolve: async (name) => resolved[name] ?? Promise.reject(new Error(`${name} is not known`)),
});
const world = await startOAuthWorld(undefined, { fetchDocument });
const { server, connections } = await countConnections();
const { endpoints, stack } = world;
test.after.always(() => {
  server.close();
  return stack.close();
});

/** Listens where nobody may be sent. */
async function countConnections(): Promise<{ server: Server; connections: { count: number } }> {
  const connections = { count: 0 };
  const server = createServer((socket) => {
    connections.count += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return { server, connections };
}

const address = server.address();
const port = typeof address === 'object' ? address?.port : 0;

/** Addresses of our own network in every spelling, and what no document can be at. */
const targets = [
  ...Object.keys(resolved).map((name) => `https://${name}:${port}/client.json`),
  'https://unknown.example/client.json',
  `https://127.0.0.1:${port}/client.json`,
  `https://localhost:${port}/client.json`,
  `https://[::1]:${port}/client.json`,
  `https://127.1:${port}/client.json`,
  `https://2130706433:${port}/client.json`,
  `https://0x7f000001:${port}/client.json`,
  `https://0.0.0.0:${port}/client.json`,
  `https://[::ffff:127.0.0.1]:${port}/client.json`,
  `https://[::]:${port}/client.json`,
  `https://localhost.localdomain:${port}/client.json`,
  'https://169.254.169.254/latest/meta-data/',
  'https://[fd00:ec2::254]/latest/meta-data/',
  'https://10.0.0.1/client.json',
  'https://192.168.0.1/client.json',
  'https://metadata.google.internal/computeMetadata/v1/',
  `http://127.0.0.1:${port}/client.json`,
  `https://user:password@localhost:${port}/client.json`,
  `https://app.example.com@localhost:${port}/client.json`,
  `https://localhost:${port}/a/../client.json`,
  `https://localhost:${port}/client.json#fragment`,
  'https://localhost',
  'file:///etc/passwd',
  'gopher://127.0.0.1:6379/_flushall',
];

/** Without what differs from request to request. */
function plain(page: string): string {
  return page.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '').replace(/value="[\w-]{43}"/g, '');
}

test('a client id that leads into our own network is answered like one nobody knows, without a connection (draft-ietf-oauth-client-id-metadata-document, Server Side Request Forgery)', async (t) => {
  const unknown = await endpoints.authorize(authorizationRequest('app_unknown').parameters);
  const refused = {
    token: (
      await endpoints.token({ grant_type: 'refresh_token', client_id: 'app_unknown', refresh_token: 'x' })
    ).body,
    revoke: (await endpoints.revoke({ client_id: 'app_unknown', token: 'x' })).body,
  };
  for (const target of targets) {
    const page = await endpoints.authorize(authorizationRequest(target).parameters);
    t.is(page.status, 400, target);
    t.is(page.headers.get('location'), null);
    t.is(plain(page.body), plain(unknown.body), target);
    const token = await endpoints.token({
      grant_type: 'refresh_token',
      client_id: target,
      refresh_token: 'x',
    });
    t.deepEqual([token.status, token.body], [401, refused.token], target);
    const revoked = await endpoints.revoke({ client_id: target, token: 'x' });
    t.deepEqual([revoked.status, revoked.body], [400, refused.revoke], target);
  }
  t.is(connections.count, 0);
});
