import test, { type ExecutionContext } from 'ava';
import { idsOf, listPath, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Area, Page, Problem } from '#tests/support/api-types.ts';
import { makeArea } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

async function clientWithAreas(count: number): Promise<{ api: AccountClient; ids: string[] }> {
  const api = await stack.newClient({ plan: 'premium' });
  const ids: string[] = [];
  while (ids.length < count) ids.push((await makeArea(api)).id);
  return { api, ids };
}

async function cursorOf(api: ApiClient, path: string): Promise<string> {
  return (await api.get<Page<Area>>(path)).body.nextCursor ?? '';
}

async function assertCursorRefused(t: ExecutionContext, api: ApiClient, path: string): Promise<void> {
  const { status, body } = await api.get<Problem>(path);
  t.is(status, 400, path);
  t.deepEqual(Object.keys(body.errors ?? {}), ['cursor']);
}

test('a walk meets every area once, in the order of creation, and ends with a null cursor', async (t) => {
  const { api, ids } = await clientWithAreas(7);
  const pages = await walkPages<Area>(api, '/areas', { limit: '3' });
  t.deepEqual(
    pages.map(({ items, hasMore }) => [items.length, hasMore]),
    [
      [3, true],
      [3, true],
      [1, false],
    ],
  );
  t.deepEqual(idsOf(pages), ids);
  t.deepEqual(
    pages.map(({ nextCursor, hasMore }) => (nextCursor !== null) === hasMore),
    [true, true, true],
  );
});

test('a last page that is exactly full has no successor', async (t) => {
  const { api } = await clientWithAreas(4);
  const pages = await walkPages<Area>(api, '/areas', { limit: '2' });
  t.deepEqual(
    pages.map(({ items }) => items.length),
    [2, 2],
  );
});

test('areas that are deleted or renamed during a walk neither skip nor repeat their neighbours', async (t) => {
  const { api, ids } = await clientWithAreas(6);
  const pages = await walkPages<Area>(api, '/areas', { limit: '2' }, async (read) => {
    const last = read.at(-1)?.items.at(-1);
    await api.patch(`/areas/${read[0]?.items[0]?.id}`, { title: `Seen ${read.length} pages` });
    await api.delete(`/areas/${last?.id}`);
  });
  t.deepEqual(idsOf(pages), ids);
});

test('limit is never refused: 50 by default, at most 200, and it may change between pages', async (t) => {
  const { api, ids } = await clientWithAreas(202);
  const sizeFor = async (query: string) => (await api.get<Page<Area>>(`/areas${query}`)).body.items.length;
  for (const odd of [
    '',
    '?limit=0',
    '?limit=-3',
    '?limit=abc',
    '?limit=1.5',
    '?limit=',
    '?limit=7&limit=8',
  ]) {
    t.is(await sizeFor(odd), 50, odd);
  }
  for (const great of ['200', '201', '9999999999', '9'.repeat(400)]) {
    t.is(await sizeFor(`?limit=${great}`), 200, great.slice(0, 20));
  }
  t.is(await sizeFor('?limit=1'), 1);
  const cursor = await cursorOf(api, '/areas?limit=200');
  const { body } = await api.get<Page<Area>>(listPath('/areas', { limit: '5', cursor }));
  t.deepEqual(idsOf([body]), ids.slice(200));
  t.false(body.hasMore);
});

test('an empty cursor counts as none, and parameters that mean nothing are ignored', async (t) => {
  const { api, ids } = await clientWithAreas(2);
  const { body } = await api.get<Page<Area>>('/areas?cursor=&status=nonsense&title=x');
  t.deepEqual(idsOf([body]), ids);
});

test('a cursor is good for its own account alone', async (t) => {
  const { api } = await clientWithAreas(2);
  const { api: stranger } = await clientWithAreas(2);
  const cursor = await cursorOf(api, '/areas?limit=1');
  await assertCursorRefused(t, stranger, listPath('/areas', { cursor }));
  t.is((await api.get(listPath('/areas', { cursor }))).status, 200);
});

test('a cursor is good for its own list alone', async (t) => {
  const { api } = await clientWithAreas(2);
  const cursor = await cursorOf(api, '/areas?limit=1');
  await assertCursorRefused(t, api, listPath('/projects', { cursor }));
  await assertCursorRefused(t, api, listPath('/tasks', { cursor }));
});

test('a cursor that was made up, cut or altered is refused', async (t) => {
  const { api } = await clientWithAreas(2);
  const cursor = await cursorOf(api, '/areas?limit=1');
  const bytes = Buffer.from(cursor, 'base64url');
  const altered = Array.from({ length: bytes.length }, (_, index) => {
    const copy = Buffer.from(bytes);
    copy[index] = (copy[index] ?? 0) ^ 1;
    return copy.toString('base64url');
  });
  const odd = [
    'x',
    '0',
    'null',
    '☃',
    `${cursor}=`,
    `${cursor} `,
    cursor.slice(0, -1),
    cursor.slice(1),
    `${cursor}AAAA`,
  ];
  for (const text of [...odd, ...altered, 'A'.repeat(10_000)]) {
    await assertCursorRefused(t, api, listPath('/areas', { cursor: text }));
  }
  await assertCursorRefused(t, api, `/areas?cursor=${cursor}&cursor=${cursor}`);
});
