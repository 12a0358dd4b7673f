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

/** Names that lead into our own network, beside one that leads nowhere. */
const nowhere = 'https://unknown.example/client.json';
const names = [
  ...Object.keys(resolved).map((name) => `https://${name}:${port}/client.json`),
  `https://localhost:${port}/client.json`,
  `https://localhost.localdomain:${port}/client.json`,
  'https://metadata.google.internal/computeMetadata/v1/',
];

/** Addresses of our own network in every spelling, and whatever else is no address of a document. */
const noDocuments = [
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
  'https://localhost',
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

test('a client id that leads into our own network is answered like one that leads nowhere, without a connection (draft-ietf-oauth-client-id-metadata-document, Server Side Request Forgery)', async (t) => {
  const unreachable = await answersTo(nowhere);
  t.deepEqual([unreachable.page[0], unreachable.revocation[0]], [503, 503]);
  for (const name of names) t.deepEqual(await answersTo(name), unreachable, name);

  const unknown = await answersTo('app_unknown');
  t.deepEqual([unknown.page[0], unknown.revocation[0]], [400, 400]);
  for (const address of noDocuments) t.deepEqual(await answersTo(address), unknown, address);
  t.is(connections.count, 0);
});
