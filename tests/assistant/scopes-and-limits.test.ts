import { request } from 'node:http';
import test from 'ava';
import { everyScope } from '#shared/scopes.ts';
import type { Task } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { words } from '#tests/support/words.ts';
import { connectAssistant, type JsonSchema, type OfferedTool } from './assistant-client.ts';
import {
  connectWith,
  type EntryResult,
  furnishDesk,
  oneCallOfEach,
  readingTools,
  resultsOf,
  saturday,
} from './desk.ts';
import { callMessage, messageHeaders, messagesOf, ping, postMessage, readMessage } from './raw-message.ts';

const stack = await startStack(undefined, { now: saturday });

/** In which a token has few requests. */
const limited = await startStack(undefined, { now: saturday, requestsPerTokenPerMinute: 12 });

const { token: anyToken } = await stack.newClient();

const tools = await (await connectAssistant(stack.baseUrl, anyToken.secret)).listTools();

// Once a hook is declared, ava does not wait for what this file prepares.
test.after.always(() => Promise.all([stack.close(), limited.close()]));

test('each message counts as one request of the token, those of a batch each for itself', async (t) => {
  const { token, account } = await limited.newClient();
  const other = await limited.createToken(account);
  const find = () => callMessage('find_tasks', {});
  const one = await postMessage(limited.baseUrl, token.secret, find());
  t.is(one.headers.get('ratelimit-remaining'), '11');
  const batch = [find(), readMessage('tasks://today'), readMessage('tasks://inbox'), { ...ping, id: 'ping' }];
  const four = await postMessage(limited.baseUrl, token.secret, batch);
  t.is(four.headers.get('ratelimit-remaining'), '7');
  const rest = await limited.client(token).get('/me');
  t.is(rest.headers.get('ratelimit-remaining'), '6');
  const refused = await postMessage(limited.baseUrl, token.secret, Array.from({ length: 7 }, find));
  t.is(refused.status, 429);
  t.true(Number(refused.headers.get('retry-after')) >= 1);
  t.is(JSON.parse(refused.text).errorCode, 'rate_limited');
  t.is((await postMessage(limited.baseUrl, other.secret, find())).status, 200);
});

test('each entry of a list counts as one request; the result says when to send the rest', async (t) => {
  const { token, ...api } = await limited.newClient();
  const tasks = Array.from({ length: 15 }, (_, index) => ({ title: `Errand ${index}` }));
  const answer = await postMessage(limited.baseUrl, token.secret, callMessage('add_tasks', { tasks }));
  const { content, structuredContent } = Object(messagesOf(answer)[0]?.result) as {
    content: [{ text: string }];
    structuredContent: { results: EntryResult[]; retryAfterSeconds: number };
  };
  t.like(structuredContent, { done: 12, failed: 3, left: 3 });
  t.true(structuredContent.retryAfterSeconds >= 1 && structuredContent.retryAfterSeconds <= 60);
  t.deepEqual(
    structuredContent.results.map(({ ok, error }) => (ok ? 'done' : error?.code)),
    tasks.map((_, index) => (index < 12 ? 'done' : 'rate_limited')),
  );
  t.regex(content[0].text, /14 were not begun.*Try again in \d+ seconds?\. Then leave out those before/);
  const refused = await api.get<{ message: string }>('/me');
  t.is(refused.status, 429);
  t.regex(refused.body.message, /^Too many requests\. Try again in \d+ seconds?\.$/);
  const other = await limited.createToken(api.account);
  const { items } = (await limited.client(other).get<{ items: unknown[] }>('/tasks')).body;
  t.is(items.length, 12);
});

test('a call that is done whole or not counts each entry, and does nothing over the limit', async (t) => {
  const { token } = await limited.newClient();
  const newSections = Array.from({ length: 15 }, (_, index) => `Part ${index}`);
  const call = callMessage('save_projects', { projects: [{ title: 'Move house', newSections }] });
  const refused = await postMessage(limited.baseUrl, token.secret, call);
  t.like(messagesOf(refused)[0]?.result, { isError: true });
  t.regex(refused.text, /Nothing was done: each entry is a request of its own\. Try again in/);
  const { headers, body } = await limited.client(token).get<{ items: unknown[] }>('/projects');
  t.deepEqual(body.items, []);
  t.is(headers.get('ratelimit-remaining'), '9');
});

test('the messages of a batch count for the address as those of several requests', async (t) => {
  const limited = await startStack(t, { now: saturday, requestsPerAddressPerMinute: 5 });
  const { token } = await limited.newClient();
  const today = () => readMessage('tasks://today');
  const three = await postMessage(limited.baseUrl, token.secret, [today(), today(), today()]);
  t.is(three.headers.get('ratelimit-limit'), '5');
  t.is(three.headers.get('ratelimit-remaining'), '2');
  const refused = await postMessage(limited.baseUrl, token.secret, [today(), today(), today()]);
  t.is(refused.status, 429);
  t.is(refused.headers.get('ratelimit-limit'), '5');
});

test('the tools that a batch calls run one after another', async (t) => {
  const { token } = await stack.newClient();
  const tasks = Array.from({ length: 20 }, (_, index) => ({ title: `Errand ${index}` }));
  const batch = [
    callMessage('add_tasks', { tasks }),
    callMessage('find_tasks', { view: 'inbox' }),
    callMessage('add_tasks', { tasks: [{ title: 'The last errand' }] }),
    callMessage('find_tasks', { text: 'last errand' }),
  ];
  const answers = messagesOf(await postMessage(stack.baseUrl, token.secret, batch));
  t.deepEqual(
    answers.map(({ id }) => id),
    batch.map((message) => (message as { id: unknown }).id),
  );
  t.regex(JSON.stringify(answers[1]), /20 tasks/);
  t.regex(JSON.stringify(answers[3]), /1 task:/);
});

test('a batch of more than ten messages is refused, and counts as nothing', async (t) => {
  const { token } = await limited.newClient();
  const batchOf = (count: number) => Array.from({ length: count }, () => readMessage('tasks://today'));
  const refused = await postMessage(limited.baseUrl, token.secret, batchOf(11));
  t.is(refused.status, 400);
  t.regex(refused.text, /at most 10 messages/);
  const ten = await postMessage(limited.baseUrl, token.secret, batchOf(10));
  t.is(messagesOf(ten).length, 10);
  t.is(ten.headers.get('ratelimit-remaining'), '2');
});

test('a suspended account is read and not changed, and the model is told to say so', async (t) => {
  const desk = await furnishDesk(stack);
  await stack.setStatus(desk.api.account, 'suspended');
  const before = await desk.api.get('/tasks?view=all');
  for (const { tool, input } of oneCallOfEach(desk)) {
    const { isError, text } = await desk.assistant.call(tool, input);
    t.is(isError, !readingTools.includes(tool), tool);
    if (isError) t.regex(text, /suspended: it can be read, not changed\. Tell the person/);
  }
  t.deepEqual((await desk.api.get('/tasks?view=all')).body, before.body);
});

test('what the plan does not allow is said in the plan’s words', async (t) => {
  const account = await stack.createAccount({ plan: 'free' });
  const assistant = await connectWith(stack, account);
  const added = await assistant.call('add_tasks', { tasks: [{ title: 'x', deadlineDate: '2026-12-01' }] });
  t.is(resultsOf(added)[0]?.error?.code, 'premium_required');
  const areas = ['One', 'Two', 'Three'].map((title) => ({ title }));
  const made = await assistant.call('save_areas', { areas });
  t.regex(made.text, /^Created «One» .*\nCreated «Two» .*\n✗ entry 2: .*allows 2 areas/);
});

test('a client that goes ends its batch, and nobody calls that an error', async (t) => {
  const { token, ...api } = await stack.newClient();
  const tasks = Array.from({ length: 50 }, (_, index) => ({ title: `Task ${index}` }));
  const params = { name: 'add_tasks', arguments: { tasks }, _meta: { progressToken: 'p' } };
  const exchange = request(`${stack.baseUrl}/mcp`, {
    method: 'POST',
    headers: { ...messageHeaders, authorization: `Bearer ${token.secret}` },
  });
  exchange.on('error', () => {});
  exchange.on('response', (response) => response.once('data', () => exchange.destroy()));
  exchange.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  const isLeft = ({ msg }: { msg: string }) => msg.includes('its client has gone');
  await waitFor(() => stack.log.some(isLeft), { timeoutMilliseconds: 20_000 });
  const { body } = await api.get<{ items: unknown[] }>('/tasks?limit=200');
  t.true(body.items.length > 0);
  t.true(body.items.length < 50, `${body.items.length} tasks`);
  t.deepEqual(
    stack.log.filter(({ level }) => level >= 50),
    [],
  );
});

const metadata = `resource_metadata="${stack.baseUrl}/.well-known/oauth-protected-resource/mcp"`;

test('a token for reading sees the reading tools and changes nothing', async (t) => {
  const desk = await furnishDesk(stack);
  const reader = await connectWith(stack, desk.api.account, { scopes: ['read'] });
  t.deepEqual((await reader.listTools()).map(({ name }) => name).toSorted(), readingTools);
  t.regex(reader.instructions(), /may only read\. For changes the person connects it again and allows Write/);
  t.notRegex(reader.instructions(), /undo|Trash|skip_occurrence/);
  const { secret } = await stack.createToken(desk.api.account, { scopes: ['read'] });
  const before = await desk.api.get('/tasks?view=all');
  for (const { tool, input } of oneCallOfEach(desk)) {
    const { status, headers } = await postMessage(stack.baseUrl, secret, callMessage(tool, input));
    const isAllowed = readingTools.includes(tool);
    t.is(status, isAllowed ? 200 : 403, tool);
    const challenge = headers.get('www-authenticate');
    if (isAllowed) t.is(challenge, null);
    else t.is(challenge, `Bearer error="insufficient_scope", scope="${everyScope}", ${metadata}`);
  }
  t.deepEqual((await desk.api.get('/tasks?view=all')).body, before.body);
});

test('a token for writing sees the writing tools alone, works by ids, and hears no content', async (t) => {
  const desk = await furnishDesk(stack);
  const writer = await connectWith(stack, desk.api.account, { scopes: ['write'] });
  t.notRegex(writer.instructions(), /find_tasks|what time it is|go by name/);
  t.regex(
    writer.instructions(),
    /may only write: it needs ids.*can be taken back for 30 days: .*offer undo\.\n/s,
  );
  const uses = oneCallOfEach(desk).filter(({ tool }) => !readingTools.includes(tool));
  const offered = (await writer.listTools()).map(({ name }) => name);
  t.deepEqual(offered.toSorted(), [...new Set(uses.map(({ tool }) => tool))].toSorted());
  const secrets = new RegExp(Object.keys(desk.ids).join('|'));
  for (const { tool, input } of uses) {
    const result = await writer.call(tool, input);
    t.false(result.isError, `${tool}: ${result.text}`);
    t.notRegex(result.text + JSON.stringify(result.content), secrets, tool);
    t.false('today' in result.content);
  }
  const { secret } = await stack.createToken(desk.api.account, { scopes: ['write'] });
  for (const { tool, input } of oneCallOfEach(desk).filter(({ tool: name }) => readingTools.includes(name))) {
    const { status, text } = await postMessage(stack.baseUrl, secret, callMessage(tool, input));
    t.is(status, 403);
    t.notRegex(text, secrets);
  }
  const list = { jsonrpc: '2.0', id: 1, method: 'resources/list' };
  const [listed] = messagesOf(await postMessage(stack.baseUrl, secret, list));
  t.like(listed, { error: { code: -32601 } });
  for (const message of [readMessage('tasks://today'), [list, readMessage('tasks://inbox')]]) {
    const { status, headers } = await postMessage(stack.baseUrl, secret, message);
    t.is(status, 403);
    const challenge = `Bearer error="insufficient_scope", scope="read write", ${metadata}`;
    t.is(headers.get('www-authenticate'), challenge);
  }
});

test('a token for writing is sent to no tool that it may not call', async (t) => {
  const desk = await furnishDesk(stack);
  const writer = await connectWith(stack, desk.api.account, { scopes: ['write'] });
  const reading = new RegExp(readingTools.join('|'));
  const missing = '00000000-0000-4000-8000-000000000000';
  const id = desk.ids['Buy milk'];
  for (const [tool, input] of [
    ['set_task_status', { ids: ['Buy milk'], status: 'completed' }],
    ['set_task_status', { ids: [missing], status: 'completed' }],
    ['edit_checklists', { edits: [{ id, tick: ['Bring a bag'] }] }],
    ['set_project_status', { projects: [missing], status: 'restored' }],
    ['undo', {}],
    ['undo', { changes: [missing] }],
    ['undo', { changes: ['yesterday'] }],
  ] as const) {
    const { isError, text } = await writer.call(tool, input);
    t.true(isError, tool);
    t.notRegex(text, reading);
  }
  const { body } = await desk.api.patch<Task>(`/tasks/${id}`, { checklist: [{ title: 'Bring a bag' }] });
  const steps = { add: ['Take cash'], tick: [body.checklist[0]?.id, 'Take cash'] };
  t.false((await writer.call('edit_checklists', { edits: [{ id, ...steps }] })).isError);
});

test('a token for writing learns of no name whether it exists', async (t) => {
  const desk = await furnishDesk(stack);
  const writer = await connectWith(stack, desk.api.account, { scopes: ['write'] });
  const answers = ['Garden', 'No such project'].map(async (project) => [
    await writer.call('add_tasks', { tasks: [{ title: 'Sweep', project }] }),
    await writer.call('set_project_status', { projects: [project], status: 'trashed' }),
    await writer.call('save_sections', { project: desk.ids.Garden, sections: [{ section: project }] }),
    await writer.call('save_areas', { areas: [{ area: project, title: 'x' }] }),
  ]);
  const [known, unknown] = await Promise.all(answers);
  t.deepEqual(known, unknown);
  for (const { isError, text } of known ?? []) {
    t.true(isError);
    t.regex(text, /must be an id, not a name/);
  }
});

test('no tool reaches another account, and a foreign id is answered as a missing one', async (t) => {
  const owner = await furnishDesk(stack);
  const stranger = await furnishDesk(stack);
  const snapshot = async () => [
    (await owner.api.get('/tasks?view=all&limit=200')).body,
    (await owner.api.get('/projects')).body,
    (await owner.api.get('/areas')).body,
  ];
  const before = await snapshot();
  const missing = '00000000-0000-4000-8000-000000000000';
  const noIds = Object.fromEntries(Object.keys(owner.ids).map((title) => [title, missing]));
  const foreign = oneCallOfEach(owner);
  const absent = oneCallOfEach({ ids: noIds });
  for (const [index, { tool, input }] of foreign.entries()) {
    if (['find_tasks', 'overview', 'list_projects', 'recent_changes', 'undo'].includes(tool)) continue;
    const answer = await stranger.assistant.call(tool, input);
    t.true(answer.isError, tool);
    const ofAbsent = await stranger.assistant.call(tool, absent[index]?.input);
    t.deepEqual(withoutIds(answer), withoutIds(ofAbsent), tool);
    t.true(resultsOf(answer).every(({ ok }) => !ok));
  }
  for (const filter of ['project', 'section', 'area']) {
    const id = { project: owner.ids.Garden, section: owner.ids.Beds, area: owner.ids.Home }[filter];
    const { content } = await stranger.assistant.call('find_tasks', { [filter]: id });
    t.deepEqual(content.tasks ?? [], []);
  }
  t.deepEqual(await snapshot(), before);
});

/** Some answers name the id that was sent. */
const withoutIds = (answer: object): string => JSON.stringify(answer).replace(/[-\da-f]{36}/g, 'id');

/** What model providers take in tool schemas without exception. */
const commonKeywords = new Set(
  'type description properties required items enum additionalProperties minimum maximum maxItems'.split(' '),
);

for (const { name, inputSchema, outputSchema } of tools) {
  test(`${name} has a closed, described input in portable keywords, and an outlined output`, (t) => {
    t.deepEqual(faultsOf(inputSchema, 'input', true), []);
    t.is(outputSchema?.type, 'object');
    for (const member of Object.values(outputSchema?.properties ?? {}))
      t.deepEqual(Object.keys(member), ['type']);
  });
}

test('every tool has a name, a title, a description and hints that fit what it does', (t) => {
  for (const tool of tools) {
    t.regex(tool.name, /^[a-z]+(_[a-z]+)*$/);
    t.truthy(tool.title);
    t.true((tool.description ?? '').length > 40 && (tool.description ?? '').length < 500, tool.name);
  }
  const hinting = (hint: string) =>
    tools
      .filter((tool) => tool.annotations?.[hint] === true)
      .map(nameOf)
      .toSorted();
  t.deepEqual(hinting('readOnlyHint'), readingTools);
  t.deepEqual(
    hinting('destructiveHint'),
    words(`change_tasks edit_checklists save_areas save_projects save_sections set_project_status
      set_task_status skip_occurrence trash_tasks undo`),
  );
  t.deepEqual(hinting('openWorldHint'), []);
  t.deepEqual(
    hinting('idempotentHint'),
    words('move_tasks reschedule_tasks restore_tasks set_project_status trash_tasks'),
  );
  for (const { annotations } of tools) {
    t.is(annotations?.openWorldHint, false);
    t.is(annotations?.readOnlyHint, annotations?.destructiveHint === undefined);
  }
});

test('the tools together stay small enough to be sent with every question', async (t) => {
  const { text } = await postMessage(stack.baseUrl, anyToken.secret, {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
  });
  t.true(text.includes('"find_tasks"'));
  t.true(Buffer.byteLength(text) <= 24_000, `${Buffer.byteLength(text)} bytes`);
});

test('a page of changes that ends within a call says how many more changes the call has', async (t) => {
  const api = await stack.newClient();
  const tokens = [await connectWith(stack, api.account), await connectWith(stack, api.account)] as const;
  for (const [assistant, count] of [
    [tokens[0], 50],
    [tokens[0], 50],
    [tokens[1], 20],
  ] as const)
    await assistant.call('add_tasks', { tasks: Array(count).fill({ title: 'Weed' }) });
  type Call = { earlier?: number; changes: object[] };
  const read = async (cursor = {}) => {
    const { text, content } = await tokens[1].call('recent_changes', cursor);
    return { text, cursor: content.nextCursor, calls: content.calls as Call[] };
  };
  const first = await read();
  t.deepEqual(
    first.calls.map(({ earlier, changes }) => [changes.length, earlier]),
    [
      [20, undefined],
      [50, undefined],
      [29, 21],
    ],
  );
  t.regex(first.text, /\]\n {2}… 21 of its changes came before these: see the next page\.\n/);
  const next = await read({ cursor: first.cursor });
  t.deepEqual(
    next.calls.map(({ earlier, changes }) => [changes.length, earlier]),
    [[21, undefined]],
  );
});

function nameOf({ name }: OfferedTool): string {
  return name;
}

function faultsOf(schema: JsonSchema, place: string, isRoot = false): string[] {
  const { $schema: _, ...keywords } = schema;
  const faults = Object.keys(keywords)
    .filter((keyword) => !commonKeywords.has(keyword))
    .map((keyword) => `${place}: ${keyword}`);
  if (typeof schema.type !== 'string' || schema.type === 'null') faults.push(`${place}: type ${schema.type}`);
  if (!isRoot && !place.endsWith('[]') && !schema.description) faults.push(`${place}: no description`);
  if (schema.type === 'object' && schema.additionalProperties !== false) faults.push(`${place}: open`);
  if (schema.items) faults.push(...faultsOf(schema.items, `${place}[]`));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    faults.push(...faultsOf(member, `${place}.${name}`));
  }
  return faults;
}
