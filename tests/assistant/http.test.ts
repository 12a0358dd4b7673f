import test from 'ava';
import { assistantWays } from '#shared/app/assistant-ways.ts';
import { plainHeaders, requestBytes } from '#tests/api/http/raw-exchange.ts';
import { viewPage } from '#tests/support/page-view.ts';
import { startStack } from '#tests/support/stack.ts';
import { clients, connectAssistant } from './assistant-client.ts';
import { furnishDesk, oneCallOfEach, resultsOf, saturday } from './desk.ts';
import { callMessage, messageHeaders, messagesOf, ping, postMessage } from './raw-message.ts';

const stack = await startStack(test, { now: saturday });

const address = `${stack.baseUrl}/mcp`;

const metadataUrl = `${stack.baseUrl}/.well-known/oauth-protected-resource/mcp`;
const challenge = `Bearer resource_metadata="${metadataUrl}", scope="read write"`;

const post = (headers: Record<string, string>, path = address) =>
  fetch(path, { method: 'POST', headers: { ...messageHeaders, ...headers }, body: JSON.stringify(ping) });

type Refused = { headers: Record<string, string>; path?: string; says: string };

test('missing and bad tokens get a challenge with the metadata (RFC 6750 §3, RFC 9728 §5.1)', async (t) => {
  const { token } = await stack.newClient();
  const authorization = `Bearer ${token.secret}`;
  const refused: Refused[] = [
    { headers: {}, says: challenge },
    { headers: { authorization: 'Bearer tms_unknown' }, says: `${challenge}, error="invalid_token"` },
    { headers: { authorization: 'Basic YTpi' }, says: `${challenge}, error="invalid_token"` },
    {
      headers: {},
      path: `${address}?access_token=${token.secret}`,
      says: `${challenge}, error="invalid_token"`,
    },
    {
      headers: { authorization },
      path: `${address}?token=${token.secret}`,
      says: `${challenge}, error="invalid_token"`,
    },
  ];
  for (const { headers, path, says } of refused) {
    const response = await post(headers, path);
    t.is(response.status, 401);
    t.is(response.headers.get('www-authenticate'), says);
    t.like(await response.json(), { errorType: 'authentication' });
  }
  t.is((await post({ authorization })).status, 200);
});

test('there is no stream to open and no session to end (Streamable HTTP)', async (t) => {
  for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
    const response = await fetch(address, { method, headers: { accept: 'text/event-stream' } });
    t.is(response.status, 405);
    t.is(response.headers.get('allow'), 'POST');
    t.like(await response.json(), { errorCode: 'method_not_allowed' });
  }
  for (const path of ['/mcp/', '/MCP', '/mcp/x', '/mcpx']) {
    t.is((await fetch(stack.baseUrl + path, { method: 'POST' })).status, 404, path);
  }
});

test('a connection that the client wants closed is closed after the response (RFC 9112 §9.6)', async (t) => {
  const { token } = await stack.newClient();
  const body = JSON.stringify(callMessage('overview', {}));
  const headers = { ...messageHeaders, authorization: `Bearer ${token.secret}` };
  const lines = [...plainHeaders, ...Object.entries(headers), ['Content-Length', `${body.length}`] as const];
  const response = await stack.anonymous.raw(requestBytes('POST', '/mcp', lines, body));
  t.is(response.status, 200);
  t.is(response.headers.get('connection'), 'close');
});

test('a person who opens the address in a browser is shown how each assistant is connected', async (t) => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const response = await fetch(address, { headers: { accept } });
  t.is(response.status, 200);
  t.regex(response.headers.get('content-security-policy') ?? '', /^default-src 'none';/);
  const page = viewPage('/mcp', response.status, response.headers, await response.text());
  t.is(page.heading, 'This address is for assistants');
  t.true(page.text.includes(address));
  for (const { name } of assistantWays(address)) t.true(page.text.includes(name));
  t.true(page.text.includes(`claude mcp add --transport http tasks ${address}`));
  t.true(page.links.some(({ href }) => href === '/app/assistants'));
  for (const headers of [{ accept, authorization: 'Bearer x' }, { accept: '*/*' }])
    t.is((await fetch(address, { headers })).status, 405);
});

test('a body that is no JSON, too large or of another type is refused as by the API', async (t) => {
  const { token } = await stack.newClient();
  const large = callMessage('add_tasks', { tasks: [{ title: 'x', notes: 'n'.repeat(2_100_000) }] });
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`;
  const cases = [
    { body: '{"jsonrpc":', status: 400 },
    { body: deep, status: 400 },
    { body: JSON.stringify(callMessage('find_tasks', { text: '\0' })), status: 400 },
    { body: JSON.stringify(large), status: 413 },
    { body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' }, status: 415 },
    { body: JSON.stringify(ping), headers: { 'content-type': 'text/plain' }, status: 415 },
  ];
  for (const { body, headers, status } of cases) {
    const answer = await postMessage(stack.baseUrl, token.secret, body, headers);
    t.is(answer.status, status, body.slice(0, 40));
    t.truthy(JSON.parse(answer.text).requestId);
  }
});

test('JSON that is no valid message gets a JSON-RPC error or a 400 (JSON-RPC 2.0 §5.1)', async (t) => {
  const { token } = await stack.newClient();
  const messages = ['""', 'null', '7', '{}', '[]', '{"jsonrpc":"1.0","id":1,"method":"ping"}', '[7]', ''];
  for (const message of messages) {
    const answer = await postMessage(stack.baseUrl, token.secret, message);
    t.is(answer.status, 400, message);
    t.truthy(JSON.parse(answer.text).error ?? JSON.parse(answer.text).errorCode, message);
  }
  const calls = [
    { method: 'tasks/everything', code: -32601 },
    { method: 'prompts/list', code: -32601 },
    { method: 'tools/call', params: { name: 'drop_tables', arguments: {} }, code: -32602 },
    { method: 'tools/call', params: { arguments: {} }, code: -32602 },
    { method: 'tools/call', params: null, code: -32602 },
    { method: 'tools/call', params: { name: { toString: null }, arguments: {} }, code: -32602 },
    { method: 'tools/call', params: { name: [{ toString: 1 }], arguments: {} }, code: -32602 },
    { method: 'tools/call', params: ['find_tasks'], code: -32602 },
    { method: 'resources/read', params: { uri: 'file:///etc/passwd' }, code: -32602 },
  ];
  for (const { code, ...call } of calls) {
    const answer = await postMessage(stack.baseUrl, token.secret, { jsonrpc: '2.0', id: 1, ...call });
    t.true(answer.status < 500, answer.text);
    const [message] = messagesOf(answer);
    const { error, result } = message as { error?: { code: number }; result?: { isError: boolean } };
    t.true(error !== undefined || result?.isError === true, answer.text);
    if (error && error.code !== -32600) t.true([code, -32002].includes(error.code), answer.text);
  }
});

test('what the tools’ schemas allow is taken, whatever number of values that makes', async (t) => {
  const { token, account } = await stack.newClient();
  const assistant = await connectAssistant(stack.baseUrl, token.secret);
  const steps = Array.from({ length: 200 }, (_, index) => `Step ${index}`);
  const tasks = Array.from({ length: 50 }, (_, index) => ({ title: `Task ${index}`, checklist: steps }));
  const added = resultsOf(await assistant.call('add_tasks', { tasks }));
  t.is(added.filter(({ ok }) => ok).length, 50);
  const checklist = steps.map((title) => ({ id: 'none', title, completed: true }));
  const changes = added.map(({ id }) => ({ id, checklist }));
  t.like(await assistant.call('change_tasks', { changes }), { content: { done: 50, failed: 0 } });
  const rows = await stack.sql`select from tasks.task
    where account_id = ${account.accountId} and jsonb_array_length(checklist) = 200`;
  t.is(rows.length, 50);
});

test('a batch that gives two messages one id is refused, and nothing of it is done', async (t) => {
  const api = await stack.newClient();
  const call = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'add_tasks', arguments: { tasks: [{ title: 'Once' }] } },
  };
  const answer = await postMessage(stack.baseUrl, api.token.secret, [call, call]);
  t.is(answer.status, 400);
  const { body } = await api.get<{ items: unknown[] }>('/tasks');
  t.deepEqual(body.items, []);
});

test('answers are for one reader: no cache keeps them, and a stream is not held back', async (t) => {
  const { api } = await furnishDesk(stack);
  const tasks = [{ title: 'One' }, { title: 'Two' }];
  const params = { name: 'add_tasks', arguments: { tasks }, _meta: { progressToken: 'p' } };
  const streamed = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
  for (const message of [ping, streamed]) {
    const { headers } = await postMessage(stack.baseUrl, api.token.secret, message);
    t.is(headers.get('cache-control'), 'no-store');
    t.is(headers.get('x-content-type-options'), 'nosniff');
    t.is(headers.get('mcp-session-id'), null);
    t.is(headers.get('access-control-allow-origin'), '*');
  }
});

test('a page of any origin may send every header of the protocol, without credentials', async (t) => {
  const wanted =
    'authorization,content-type,mcp-protocol-version,mcp-method,mcp-name,mcp-session-id,last-event-id';
  const response = await fetch(address, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://chat.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': wanted,
    },
  });
  t.is(response.status, 204);
  t.is(response.headers.get('access-control-allow-origin'), '*');
  t.is(response.headers.get('access-control-allow-credentials'), null);
  const allowed = response.headers.get('access-control-allow-headers')?.toLowerCase().split(',');
  t.deepEqual(
    wanted.split(',').filter((name) => !allowed?.includes(name)),
    [],
  );
  const refused = await post({ origin: 'https://chat.example.com' });
  t.regex(refused.headers.get('access-control-expose-headers') ?? '', /WWW-Authenticate/);
});

for (const [name, connect] of Object.entries(clients)) {
  test(`${name} connects with a personal token, reads the resources and calls every tool`, async (t) => {
    const desk = await furnishDesk(stack);
    const { api, ids } = desk;
    const client = await connect(stack.baseUrl, api.token.secret);
    const words = client.instructions().split(/\s+/).length;
    t.true(words > 50 && words < 200, `${words} words`);
    for (const subject of [/inbox/, /upcoming/, /timezone/, /repeating/, /never make ids up/, /offer undo/])
      t.regex(client.instructions(), subject);

    t.deepEqual(await client.listResources(), ['tasks://today', 'tasks://inbox']);
    t.regex(await client.readResource('tasks://today'), /Today is Saturday 2026-11-21.*Call the dentist/s);
    t.regex(await client.readResource('tasks://inbox'), /Read the tide tables/);
    t.regex(await client.readResource(`tasks://projects/${ids.Garden}`), /Order seeds/);
    await t.throwsAsync(client.readResource(`tasks://projects/${api.account.accountId}`), {
      message: /There is nothing with that id/,
    });

    const offered = (await client.listTools()).map((tool) => tool.name);
    const uses = oneCallOfEach(desk);
    t.deepEqual(offered.toSorted(), [...new Set(uses.map(({ tool }) => tool))].toSorted());
    for (const { tool, input } of uses) {
      const result = await client.call(tool, input);
      t.false(result.isError, `${tool}: ${result.text}`);
      t.not(result.text, '');
      t.notDeepEqual(result.content, {});
    }
    const task = await api.get(`/tasks/${ids['Buy milk']}`);
    t.like(task.body, { title: 'Buy oat milk', projectId: ids.Garden, status: 'completed', inTrash: false });

    const heard: number[] = [];
    const tasks = ['One', 'Two', 'Three'].map((title) => ({ title }));
    await client.call('add_tasks', { tasks }, ({ progress, total }) => heard.push(progress, total ?? 0));
    t.deepEqual(heard, [1, 3, 2, 3, 3, 3], 'how far a batch has come');
    await client.close();
  });
}
