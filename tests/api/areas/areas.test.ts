import test from 'ava';
import { idsOf, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { Area, Page } from '#tests/support/api-types.ts';
import { makeArea } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('creating an area responds 201 with exactly its five fields, and a read returns the same', async (t) => {
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

async function clientWithAreas(count: number): Promise<{ api: AccountClient; ids: string[] }> {
  const api = await stack.newClient({ plan: 'premium' });
  const ids: string[] = [];
  while (ids.length < count) ids.push((await makeArea(api)).id);
  return { api, ids };
}

test('paging returns every area once, in the order of creation, and ends with a null cursor', async (t) => {
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
