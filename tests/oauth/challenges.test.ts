import test from 'ava';
import { connectApp, startOAuthWorld } from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const app = await connectApp(world);
const reader = await connectApp(world, { clientId: app.clientId, scopes: ['read'] });
const writer = await connectApp(world, { clientId: app.clientId, scopes: ['write'] });
test.after.always(() => world.stack.close());
const { stack } = world;

const metadata = `resource_metadata="${stack.baseUrl}/.well-known/oauth-protected-resource"`;
const scope = 'scope="read write"';

test('a request without a token learns where to get one, and of no error (RFC 6750 §3, RFC 9728 §5.1)', async (t) => {
  for (const method of ['GET', 'POST', 'PATCH', 'DELETE']) {
    const { status, headers } = await stack.anonymous.request(method, method === 'POST' ? '/tasks' : '/me');
    if (status === 405) continue;
    t.is(status, 401);
    t.is(headers.get('www-authenticate'), `Bearer ${metadata}, ${scope}`);
  }
});

test('a request with a bad token is told so (RFC 6750 §3.1)', async (t) => {
  const headers = [
    'Bearer unknown',
    `Bearer ${app.tokens.refresh_token}`,
    `Bearer ${app.tokens.access_token}x`,
    `Basic ${btoa('a:b')}`,
    'Bearer',
    'Digest x',
  ];
  for (const authorization of headers) {
    const answer = await stack.anonymous.with({ Authorization: authorization }).get('/me');
    t.is(answer.status, 401);
    t.is(answer.headers.get('www-authenticate'), `Bearer ${metadata}, ${scope}, error="invalid_token"`);
  }
  const inQuery = await stack.anonymous.get(`/me?access_token=${app.tokens.access_token}`);
  t.is(inQuery.headers.get('www-authenticate'), `Bearer ${metadata}, ${scope}, error="invalid_token"`);
});

test('a token that lacks a scope is told every scope that the request needs (RFC 6750 §3.1)', async (t) => {
  const write = await stack.client(reader.tokens.access_token).post('/tasks', { title: 'x' });
  const read = await stack.client(writer.tokens.access_token).get('/tasks');
  t.deepEqual([write.status, read.status], [403, 403]);
  const challengeFor = (needed: string) =>
    `Bearer ${metadata}, error="insufficient_scope", scope="${needed}"`;
  const partsOf = (text: string | null) => (text ?? '').replace('Bearer ', '').split(', ').sort();
  t.deepEqual(partsOf(write.headers.get('www-authenticate')), partsOf(challengeFor('write')));
  t.deepEqual(partsOf(read.headers.get('www-authenticate')), partsOf(challengeFor('read')));
});

test('no other refusal sends a client for a new token (RFC 6750 §3)', async (t) => {
  const client = stack.client(app.tokens.access_token);
  const answers = [
    await client.get('/nothing'),
    await client.get('/tasks/00000000-0000-4000-8000-000000000000'),
    await client.post('/tasks', { title: '' }),
    await client.post('/tasks', { title: 'x', deadlineDate: '2026-11-16' }),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 400, 403],
  );
  for (const { headers } of answers) t.is(headers.get('www-authenticate'), null);
});
