import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { connectWith, furnishDesk, oneCallOfEach, readingTools, resultsOf, saturday } from './desk.ts';
import { callMessage, messagesOf, postMessage, readMessage } from './raw-message.ts';

const stack = await startStack(undefined, { now: saturday });

test.after.always(() => stack.close());

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
    else t.is(challenge, `Bearer error="insufficient_scope", scope="read write", ${metadata}`);
  }
  t.deepEqual((await desk.api.get('/tasks?view=all')).body, before.body);
});

test('a token for writing sees the writing tools alone, works by ids, and hears no content', async (t) => {
  const desk = await furnishDesk(stack);
  const writer = await connectWith(stack, desk.api.account, { scopes: ['write'] });
  t.regex(writer.instructions(), /may only write: it needs ids/);
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

test('a token for writing learns of no name whether it exists', async (t) => {
  const desk = await furnishDesk(stack);
  const writer = await connectWith(stack, desk.api.account, { scopes: ['write'] });
  const answers = ['Garden', 'No such project'].map(async (project) => [
    await writer.call('add_tasks', { tasks: [{ title: 'Sweep', project }] }),
    await writer.call('set_project_status', { project, status: 'trashed' }),
    await writer.call('save_section', { project: desk.ids.Garden, section: project, title: 'x' }),
    await writer.call('save_area', { area: project, title: 'x' }),
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
    t.deepEqual(answer, await stranger.assistant.call(tool, absent[index]?.input), tool);
    t.true(resultsOf(answer).every(({ ok }) => !ok));
  }
  for (const filter of ['project', 'section', 'area']) {
    const id = { project: owner.ids.Garden, section: owner.ids.Beds, area: owner.ids.Home }[filter];
    const { content } = await stranger.assistant.call('find_tasks', { [filter]: id });
    t.deepEqual(content.tasks ?? [], []);
  }
  t.deepEqual(await snapshot(), before);
});
