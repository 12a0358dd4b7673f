import test from 'ava';
import type { Section } from '#tests/support/api-types.ts';
import { makeProject, makeSection } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

type Board = {
  api: AccountClient;
  projectId: string;
  path: string;
  ids: string[];
  order(): Promise<string[]>;
};

async function board(count: number): Promise<Board> {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const path = `/projects/${project.id}/sections`;
  const ids: string[] = [];
  while (ids.length < count) ids.push((await makeSection(api, project.id)).id);
  const order = async () => (await api.get<Section[]>(path)).body.map(({ id }) => id);
  return { api, projectId: project.id, path, ids, order };
}

test('a section moves up, down and to both ends, counted from 0', async (t) => {
  const { api, path, ids, order } = await board(4);
  const [a = '', b = '', c = '', d = ''] = ids;
  const moves: [id: string, position: number, expected: string[]][] = [
    [c, 0, [c, a, b, d]],
    [c, 3, [a, b, d, c]],
    [b, 2, [a, d, b, c]],
    [b, 1, [a, b, d, c]],
    [a, 1, [b, a, d, c]],
    [d, 2, [b, a, d, c]],
  ];
  t.deepEqual(await order(), ids);
  for (const [id, position, expected] of moves) {
    t.is((await api.patch(`${path}/${id}`, { position })).status, 200);
    t.deepEqual(await order(), expected);
  }
});

test('a position beyond the end counts as last', async (t) => {
  const { api, path, ids, order } = await board(3);
  const [a = '', b = '', c = ''] = ids;
  await api.patch(`${path}/${a}`, { position: 3 });
  t.deepEqual(await order(), [b, c, a]);
  await api.patch(`${path}/${b}`, { position: Number.MAX_SAFE_INTEGER });
  t.deepEqual(await order(), [c, a, b]);
});

test('a move counts as a change of every section whose place changes, and of no other', async (t) => {
  const { api, path, ids } = await board(4);
  const before = (await api.get<Section[]>(path)).body;
  const { body: moved } = await api.patch<Section>(`${path}/${ids[2]}`, { position: 1, title: 'Moved' });
  t.is(moved.title, 'Moved');
  const after = (await api.get<Section[]>(path)).body;
  const [first, second, third, fourth] = before;
  t.deepEqual(after, [first, moved, { ...second, updatedAt: moved.updatedAt }, fourth]);
  t.true(moved.updatedAt > (third?.updatedAt ?? ''));
});

test('a new section goes last, after moves and deletions too', async (t) => {
  const { api, path, ids, order } = await board(3);
  const [a = '', b = '', c = ''] = ids;
  await api.patch(`${path}/${a}`, { position: 2 });
  await api.delete(`${path}/${c}`);
  const { body } = await api.post<Section>(path, { title: 'Last' });
  t.deepEqual(await order(), [b, a, body.id]);
});
