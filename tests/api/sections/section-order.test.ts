import test from 'ava';
import fc from 'fast-check';
import type { Problem, Section } from '#tests/support/api-types.ts';
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

for (const position of [-1, 1.5, '1', null, true, 1e300]) {
  test(`a position of ${JSON.stringify(position)} is refused by name`, async (t) => {
    const { api, path, ids, order } = await board(2);
    const { status, body } = await api.patch<Problem>(`${path}/${ids[0]}`, { position });
    t.is(status, 400);
    t.deepEqual(Object.keys(body.errors ?? {}), ['position']);
    t.deepEqual(await order(), ids);
  });
}

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

type Move = { kind: 'create' } | { kind: 'delete'; at: number } | { kind: 'move'; at: number; to: number };

/** What a list of ids does: the order that any sequence of moves must leave. */
function applyMove(order: readonly string[], move: Exclude<Move, { kind: 'create' }>): string[] {
  const id = order[move.at] ?? '';
  const rest = order.filter((other) => other !== id);
  if (move.kind === 'delete') return rest;
  return rest.toSpliced(move.to, 0, id);
}

const moves: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    fc.constant<Move>({ kind: 'create' }),
    fc.record({ kind: fc.constant('delete' as const), at: fc.nat(5) }),
    fc.record({ kind: fc.constant('move' as const), at: fc.nat(5), to: fc.nat(7) }),
  ),
  { minLength: 6, maxLength: 14 },
);

test('any sequence of creations, moves and deletions leaves the order a plain list would have', async (t) => {
  const check = fc.asyncProperty(moves, async (sequence) => {
    const { api, path, ids, order } = await board(3);
    let expected = ids;
    for (const move of sequence) {
      if (move.kind === 'create') {
        expected = [...expected, (await api.post<Section>(path, { title: 'New' })).body.id];
        continue;
      }
      const id = expected[move.at];
      if (id === undefined) continue;
      if (move.kind === 'delete') await api.delete(`${path}/${id}`);
      else await api.patch(`${path}/${id}`, { position: move.to });
      expected = applyMove(expected, move);
    }
    return JSON.stringify(await order()) === JSON.stringify(expected);
  });
  await t.notThrowsAsync(fc.assert(check, { numRuns: 12 }));
});
