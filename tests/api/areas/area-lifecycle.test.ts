import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Area, Page, Problem } from '#tests/support/api-types.ts';
import { makeArea } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('a new area is answered with 201 and exactly its five facts, and reads back the same', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post<Area>('/areas', { title: 'Home' });
  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['id', 'title', 'createdAt', 'updatedAt']);
  t.regex(body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.is(body.title, 'Home');
  t.regex(body.createdAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  t.is(body.updatedAt, body.createdAt);
  t.deepEqual((await api.get<Area>(`/areas/${body.id}`)).body, body);
  t.deepEqual((await api.get<Page<Area>>('/areas')).body, {
    items: [body],
    nextCursor: null,
    hasMore: false,
  });
});

test('an account without areas has one empty last page', async (t) => {
  const api = await stack.newClient();
  t.deepEqual((await api.get<Page<Area>>('/areas')).body, { items: [], nextCursor: null, hasMore: false });
});

for (const title of [
  '  blanks around  ',
  `quotes ' " \` and \\ backslashes \\' \\\\`,
  '? ?? $1 %s :name -- /* */ ;',
  'e\u0301 is not \u00e9, \u202e mirrored, zero\u200bwidth',
  'line\nbreak\tand tab',
  '\u{1f468}‍\u{1f469}‍\u{1f467}'.repeat(204),
  '\u{1f600}'.repeat(1_024),
]) {
  test(`a title is kept exactly as sent: ${JSON.stringify(title.slice(0, 24))}`, async (t) => {
    const api = await stack.newClient();
    const area = await makeArea(api, { title });
    t.is((await api.get<Area>(`/areas/${area.id}`)).body.title, title);
    const changed = [...title].with(0, 'x').join('');
    t.is((await api.patch<Area>(`/areas/${area.id}`, { title: changed })).body.title, changed);
  });
}

const badTitles: [what: string, title: unknown][] = [
  ['null', null],
  ['empty', ''],
  ['blank, in any of Unicode’s white space', ' \t\u00a0\u3000\u2028'],
  ['a number', 7],
  ['an array', ['Home']],
  ['one character too long', 'x'.repeat(1_025)],
  ['one emoji too long', '\u{1f600}'.repeat(1_025)],
  ['text with U+0000', 'a\0b'],
  ['text with a lone surrogate', 'a\ud800b'],
];

for (const [what, title] of badTitles) {
  test(`a title that is ${what} is refused by name, on creation and in a patch`, async (t) => {
    const api = await stack.newClient();
    const area = await makeArea(api);
    for (const answer of [
      await api.post<Problem>('/areas', { title }),
      await api.patch<Problem>(`/areas/${area.id}`, { title }),
    ]) {
      t.like(answer, { status: 400, body: { errorType: 'validation', errorCode: 'validation_error' } });
      t.deepEqual(Object.keys(answer.body.errors ?? {}), ['title']);
    }
    t.deepEqual((await api.get<Page<Area>>('/areas')).body.items, [area]);
  });
}

test('an area without a title is refused by name', async (t) => {
  const api = await stack.newClient();
  const answer = await api.post<Problem>('/areas', {});
  t.is(answer.status, 400);
  t.deepEqual(Object.keys(answer.body.errors ?? {}), ['title']);
});

test('every field that is not the title is refused under its own name', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const sent = { title: 'Home', id: randomUUID(), rank: 1, 'a.b': true, updatedAt: area.updatedAt };
  const unknown = ['a.b', 'id', 'rank', 'updatedAt'];
  const created = await api.post<Problem>('/areas', sent);
  const patched = await api.patch<Problem>(`/areas/${area.id}`, sent);
  for (const { status, body } of [created, patched]) {
    t.is(status, 400);
    t.deepEqual(Object.keys(body.errors ?? {}).sort(), unknown);
  }
  t.deepEqual((await api.get<Area>(`/areas/${area.id}`)).body, area);
});

test('a patched title changes updatedAt and nothing else', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const { status, body } = await api.patch<Area>(`/areas/${area.id}`, { title: 'Elsewhere' });
  t.is(status, 200);
  t.deepEqual(body, { ...area, title: 'Elsewhere', updatedAt: body.updatedAt });
  t.true(body.updatedAt > area.updatedAt);
  t.deepEqual((await api.get<Area>(`/areas/${area.id}`)).body, body);
});

test('a patch that is empty or sends the same title again changes nothing, updatedAt included', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  for (const patch of [{}, { title: area.title }]) {
    const { status, body } = await api.patch<Area>(`/areas/${area.id}`, patch);
    t.is(status, 200);
    t.deepEqual(body, area);
  }
});

test('a merge patch may name its own media type; another type than JSON is refused', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const send = (type: string, title: string) =>
    api.patch<Area>(`/areas/${area.id}`, JSON.stringify({ title }), { headers: { 'Content-Type': type } });
  t.is((await send('application/merge-patch+json', 'one')).body.title, 'one');
  t.is((await send('application/json; charset=utf-8', 'two')).body.title, 'two');
  t.is((await send('text/plain', 'three')).status, 415);
  t.is((await send('application/json-patch+json', 'four')).status, 415);
});

test('a deleted area is gone: 204 without a body, then 404', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const other = await makeArea(api);
  const deleted = await api.delete<undefined>(`/areas/${area.id}`);
  t.is(deleted.status, 204);
  t.is(deleted.body, undefined);
  t.is((await api.get(`/areas/${area.id}`)).status, 404);
  t.is((await api.patch(`/areas/${area.id}`, { title: 'Back' })).status, 404);
  t.is((await api.delete(`/areas/${area.id}`)).status, 404);
  t.deepEqual((await api.get<Page<Area>>('/areas')).body.items, [other]);
});

test('an id in capitals names the same area', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  t.deepEqual((await api.get<Area>(`/areas/${area.id.toUpperCase()}`)).body, area);
});

test('missing, foreign and malformed ids are answered alike, and a foreign area stays untouched', async (t) => {
  const owner = await stack.newClient();
  const stranger = await stack.newClient();
  const area = await makeArea(owner);
  const bodies = [];
  for (const id of [randomUUID(), area.id, 'nonsense', '%00']) {
    for (const answer of [
      await stranger.get<Problem>(`/areas/${id}`),
      await stranger.patch<Problem>(`/areas/${id}`, { title: 'Mine' }),
      await stranger.delete<Problem>(`/areas/${id}`),
    ]) {
      t.is(answer.status, 404);
      bodies.push({ ...answer.body, requestId: '' });
    }
  }
  t.is(new Set(bodies.map((body) => JSON.stringify(body))).size, 1);
  t.like(bodies[0], { errorType: 'not_found', errorCode: 'not_found' });
  t.deepEqual((await owner.get<Area>(`/areas/${area.id}`)).body, area);
  t.deepEqual((await stranger.get<Page<Area>>('/areas')).body.items, []);
});
