import test from 'ava';
import { makeProject, makeSection } from '#tests/support/factories.ts';
import { words } from '#tests/support/words.ts';
import { answerOf, invalid } from '../matrix/problem-answer.ts';
import { send, writeOperations } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { canary, startGuardedStack, testsOfRefusals } from './guarded-stack.ts';

const stack = await startGuardedStack(test);
const refusals = testsOfRefusals(test, stack);

const withBody = writeOperations.filter(({ body }) => body !== undefined);

refusals('a body that is not JSON is refused as a whole', async (t, { api }) => {
  for (const body of [
    '{',
    '{"title":"x"',
    '{"title":"x"}}',
    "{'title':'x'}",
    '{"title":"x",}',
    '{"title":"a\nb"}',
    '{"title":"a\u0000b"}',
    '{"title":"\\x41"}',
    '{"title":"x"} // comment',
    ' ',
    'title=x',
    `${canary}`,
  ]) {
    t.deepEqual(answerOf(await api.post('/tasks', body)), invalid('body'), body);
  }
});

refusals('a body that is not an object is refused as a whole by every write', async (t, { api, ids }) => {
  for (const body of ['[{"title":"x"}]', '"title"', '0', 'true', 'null', `"${canary}"`])
    t.deepEqual(answerOf(await api.post('/tasks', body)), invalid('body'), body);
  for (const operation of writeOperations) {
    const answer = await send(api, operation, ids, { body: '[]' });
    t.deepEqual(answerOf(answer), invalid('body'), operation.operationId);
  }
});

refusals('a body that is left out is refused where one is needed', async (t, { api, ids }) => {
  for (const operation of withBody.filter(({ isBodyOptional }) => !isBodyOptional)) {
    t.deepEqual(
      answerOf(await send(api, operation, ids, { body: '' })),
      invalid('body'),
      operation.operationId,
    );
  }
});

refusals('prototype pollution has no effect', async (t, { api }) => {
  for (const [body, field] of [
    ['{"title":"x","checklist":[{"title":"x","__proto__":{"completed":true}}]}', 'checklist'],
    ['{"title":"x","checklist":{"__proto__":[]}}', 'checklist'],
    ['{"title":"x","recurrence":{"__proto__":{"frequency":"daily"}}}', 'recurrence'],
    [
      '{"title":"x","recurrence":{"frequency":"daily","constructor":{"prototype":{"isAdmin":true}}}}',
      'recurrence',
    ],
    ['{"title":{"__proto__":{"length":1}}}', 'title'],
    ['{"__proto__":{"title":"x"}}', '__proto__'],
  ] as const) {
    const answer = answerOf(await api.post('/tasks', body));
    t.is(answer.status, 400);
    t.true(answer.fields?.includes(field), body);
  }
  t.false('isAdmin' in {});
});

test.serial('the name of an unknown member is repeated as it is, and no value ever', async (t) => {
  const api = await stack.newClient();
  for (const name of [
    '${value}',
    '${originalValue}',
    '${path}',
    '"]',
    'a.b',
    'a[0]',
    ' ',
    '$&',
    '😀',
    'x\ny',
  ]) {
    const { status, body } = await api.post('/tasks', { title: 'x', [name]: canary });
    t.is(status, 400);
    t.deepEqual(body.errors, { [name]: [`${name} is not a field of this operation`] });
  }
});

test.serial('the response does not repeat an invalid value', async (t) => {
  const api = await stack.newClient();
  for (const value of [canary, { frequency: canary, title: canary }, [canary]]) {
    for (const name of ['title', 'dueDate', 'list', 'projectId', 'recurrence', 'checklist']) {
      const wrong = name === 'title' && value === canary ? 1 : value;
      const { status, body } = await api.post('/tasks', { title: 'x', [name]: wrong });
      t.is(status, 400);
      t.deepEqual(Object.keys(Object(body.errors)), [name]);
      t.false(JSON.stringify(body).includes(canary), JSON.stringify(body));
    }
  }
});

const nested = (depth: number, [open, close]: readonly [string, string]) =>
  `{"title":"x","surplus":${open.repeat(depth)}0${close.repeat(depth)}}`;

for (const [what, brackets] of [
  ['arrays', ['[', ']']],
  ['objects', ['{"a":', '}']],
] as const) {
  refusals(`${what} within ${what} are looked into 32 levels deep and refused beyond`, async (t, { api }) => {
    // The body and its member are two levels more than the brackets inside.
    for (const [depth, field] of [
      [29, 'surplus'],
      [30, 'surplus'],
      [31, 'surplus'],
      [32, 'body'],
      [33, 'body'],
      [1_000, 'body'],
      [100_000, 'body'],
    ] as const) {
      t.deepEqual(answerOf(await api.post('/tasks', nested(depth, brackets))), invalid(field), `${depth}`);
    }
    t.deepEqual(answerOf(await api.post('/tasks', brackets[0].repeat(100_000))), invalid('body'));
  });
}

test.serial('a number is taken by its value, if it is whole, in range and exact', async (t) => {
  const api = await stack.newClient();
  const withInterval = (literal: string) =>
    `{"title":"x","dueDate":"2026-11-16","recurrence":{"frequency":"daily","interval":${literal}}}`;
  for (const [literal, interval] of [
    ['1', 1],
    ['1.0', 1],
    ['2e0', 2],
    ['0.3e1', 3],
    ['99900e-2', 999],
  ] as const) {
    const { status, body } = await api.post('/tasks', withInterval(literal));
    t.is(status, 201, literal);
    t.like(body.recurrence, { interval });
  }
  const before = await storedStateOf(stack, api.account);
  for (const literal of words('0 -1 1000 1.5 1e400 1.0000000000000002 9007199254740993 "1" {}')) {
    t.deepEqual(answerOf(await api.post('/tasks', withInterval(literal))), invalid('recurrence'), literal);
  }
  for (const literal of ['NaN', 'Infinity', '01', '.5', '--1']) {
    t.deepEqual(answerOf(await api.post('/tasks', withInterval(literal))), invalid('body'), literal);
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('a position too large to count is the last; what is no position is refused', async (t) => {
  const api = await stack.newClient();
  const { id: projectId } = await makeProject(api);
  const first = await makeSection(api, projectId);
  const second = await makeSection(api, projectId);
  const path = `/projects/${projectId}/sections/${first.id}`;
  const order = async () => (await api.get<{ id: string }[]>(`/projects/${projectId}/sections`)).body;
  t.is((await api.patch(path, '{"position":9007199254740991}')).status, 200);
  t.deepEqual(
    (await order()).map(({ id }) => id),
    [second.id, first.id],
  );
  t.is((await api.patch(path, '{"position":-0}')).status, 200);
  t.deepEqual(
    (await order()).map(({ id }) => id),
    [first.id, second.id],
  );
  const before = await storedStateOf(stack, api.account);
  for (const literal of ['-1', '0.5', '1e400', '9007199254740992', '1e21', '"0"', 'null', 'true'])
    t.deepEqual(answerOf(await api.patch(path, `{"position":${literal}}`)), invalid('position'), literal);
  t.deepEqual(await storedStateOf(stack, api.account), before);
});
