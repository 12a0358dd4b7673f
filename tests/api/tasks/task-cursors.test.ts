import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';

const stack = await startStack(test);

async function cursorOf(api: ApiClient, path: string): Promise<string> {
  const { body } = await api.get<Page<Task>>(path);
  if (body.nextCursor === null) throw new Error(`${path} has a single page`);
  return body.nextCursor;
}

test('a cursor is good for one list: no other view, filter or order takes it', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const [project, other] = [await makeProject(api, { areaId: area.id }), await makeProject(api)];
  for (const { id: projectId } of [project, other]) await makeTasks(api, 3, { projectId });
  const queries = [
    '',
    'view=all',
    'view=anytime',
    'view=all&status=open',
    'status=open',
    `projectId=${project.id}`,
    `projectId=${other.id}`,
    `areaId=${area.id}`,
    `areaId=${area.id}&projectId=${project.id}`,
    'updatedSince=2020-01-01T00:00:00Z',
    'updatedSince=2020-01-01T00:00:00.001Z',
    'view=all&updatedSince=2020-01-01T00:00:00Z',
  ];
  for (const from of queries) {
    const cursor = await cursorOf(api, `/tasks?limit=1&${from}`);
    for (const to of queries) {
      const answer = await api.get(`/tasks?limit=1&${to}&cursor=${cursor}`);
      const what = `«${from}» used for «${to}»`;
      if (from === to) t.is(answer.status, 200, what);
      else expectInvalid(t, answer, ['cursor'], what);
    }
  }
});

test('a cursor is good for one endpoint, even where the other lists the same', async (t) => {
  const api = await stack.newClient();
  const projects = [await makeProject(api), await makeProject(api)];
  const [first, second] = projects.map(({ id }) => id);
  await makeTasks(api, 2, { projectId: first });
  await makeTasks(api, 2, { projectId: second });
  await makeArea(api);
  await makeArea(api);
  const paths = [
    '/tasks?limit=1',
    `/tasks?limit=1&projectId=${first}`,
    `/projects/${first}/tasks?limit=1`,
    `/projects/${second}/tasks?limit=1`,
    '/projects?limit=1',
    '/areas?limit=1',
  ];
  for (const from of paths) {
    const cursor = await cursorOf(api, from);
    for (const to of paths) {
      const answer = await api.get(`${to}&cursor=${cursor}`);
      const what = `${from} used for ${to}`;
      if (from === to) t.is(answer.status, 200, what);
      else expectInvalid(t, answer, ['cursor'], what);
    }
  }
});

test('a cursor is good for one account, and there for any of its tokens', async (t) => {
  const api = await stack.newClient();
  const stranger = await stack.newClient();
  for (const client of [api, stranger]) await makeTasks(client, 3);
  const cursor = await cursorOf(api, '/tasks?limit=1');
  expectInvalid(t, await stranger.get(`/tasks?limit=1&cursor=${cursor}`), ['cursor']);
  const sameAccount = stack.client(await stack.createToken(api.account));
  const page = await api.get<Page<Task>>(`/tasks?limit=1&cursor=${cursor}`);
  t.deepEqual((await sameAccount.get<Page<Task>>(`/tasks?limit=1&cursor=${cursor}`)).body, page.body);
});

test('the same filter written in another way is the same list', async (t) => {
  const api = await stack.newClient();
  const { id: projectId } = await makeProject(api);
  await makeTasks(api, 3, { projectId });
  const query = `view=all&projectId=${projectId}&updatedSince=2020-01-01T00:00:00Z`;
  const cursor = await cursorOf(api, `/tasks?limit=1&${query}`);
  const rewritten = `updatedSince=2020-01-01T01:00:00.000%2B01:00&projectId=${projectId.toUpperCase()}&view=all&x=1`;
  t.is((await api.get(`/tasks?${rewritten}&cursor=${cursor}`)).status, 200);
});

test('a cursor can be used again and shows the same page', async (t) => {
  const api = await stack.newClient();
  await makeTasks(api, 3);
  const cursor = await cursorOf(api, '/tasks?limit=1');
  const once = await api.get<Page<Task>>(`/tasks?limit=1&cursor=${cursor}`);
  t.deepEqual((await api.get<Page<Task>>(`/tasks?limit=1&cursor=${cursor}`)).body, once.body);
});

test('a cursor can go into a URL as it is', async (t) => {
  const api = await stack.newClient();
  await makeTasks(api, 2);
  const cursor = await cursorOf(api, '/tasks?limit=1');
  t.regex(cursor, /^[A-Za-z0-9_-]+$/);
});

test('whatever is done to a cursor, it is refused', async (t) => {
  const api = await stack.newClient();
  await makeTask(api);
  await makeTask(api);
  const cursor = await cursorOf(api, '/tasks?limit=1');
  const bytes = Buffer.from(cursor, 'base64url');
  const flipped = (index: number) =>
    Buffer.from(bytes.map((byte, at) => (at === index ? byte ^ 1 : byte))).toString('base64url');
  const payload = bytes.subarray(16);
  const forged = [
    ...Array.from(bytes, (_, index) => flipped(index)),
    ...Array.from({ length: cursor.length - 1 }, (_, index) => cursor.slice(0, index + 1)),
    cursor.slice(1),
    `${cursor}A`,
    `${cursor}=`,
    `${cursor}==`,
    `${cursor}.`,
    `.${cursor}`,
    `${cursor.slice(0, 4)}.${cursor.slice(4)}`,
    cursor + cursor,
    cursor.toUpperCase(),
    cursor.toLowerCase(),
    [...cursor].reverse().join(''),
    bytes.toString('hex'),
    Buffer.concat([bytes, Buffer.from([0])]).toString('base64url'),
    Buffer.concat([Buffer.alloc(16), payload]).toString('base64url'),
    payload.toString('base64url'),
    payload.toString(),
    'null',
    '0',
    ' ',
    '[]',
    '\0',
    'A'.repeat(4_000),
  ];
  for (const text of forged) {
    const answer = await api.get(`/tasks?limit=1&cursor=${encodeURIComponent(text)}`);
    expectInvalid(t, answer, ['cursor'], text.slice(0, 200));
  }
  t.is((await api.get(`/tasks?limit=1&cursor=${cursor}`)).status, 200);
});

test('standard base64 is not the spelling that was given out', async (t) => {
  const api = await stack.newClient();
  await makeTasks(api, 2);
  // Only the characters that the two alphabets do not share tell them apart.
  let [query, cursor] = ['', ''];
  for (let millisecond = 100; millisecond < 200 && !/[-_]/.test(cursor); millisecond += 1) {
    query = `limit=1&updatedSince=2020-01-01T00:00:00.${millisecond}Z`;
    cursor = await cursorOf(api, `/tasks?${query}`);
  }
  t.regex(cursor, /[-_]/);
  const standard = encodeURIComponent(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  expectInvalid(t, await api.get(`/tasks?${query}&cursor=${standard}`), ['cursor']);
});

test('a cursor is refused before the project it speaks of is looked for', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeProject(api);
  await makeTasks(api, 2, { projectId: id });
  const cursor = await cursorOf(api, `/projects/${id}/tasks?limit=1`);
  await api.delete(`/projects/${id}`);
  t.is((await api.get(`/projects/${id}/tasks?limit=1&cursor=${cursor}`)).status, 404);
  expectInvalid(t, await api.get(`/projects/${id}/tasks?limit=1&cursor=x${cursor}`), ['cursor']);
});

test('every replica over the same database takes the cursors of the others', async (t) => {
  const api = await stack.newClient();
  await makeTasks(api, 3);
  const cursor = await cursorOf(api, '/tasks?limit=1');
  const replica = await startStack(t, { databaseUrl: stack.databaseUrl });
  const page = await replica.client(api.token).get<Page<Task>>(`/tasks?limit=1&cursor=${cursor}`);
  t.deepEqual(page.body, (await api.get<Page<Task>>(`/tasks?limit=1&cursor=${cursor}`)).body);
});
