import test from 'ava';
import type { Recurrence } from '#tests/support/api-types.ts';
import { newAccount } from './account-state.ts';
import type { Operation } from './operation.ts';
import { applyOperation } from './reference-model.ts';
import { rolled, wholeRule } from './repeating-series.ts';

const today = '2026-11-20';

type Rule = Pick<Recurrence, 'frequency'> & Partial<Recurrence>;
/** A rule, the first date, and the dates that follow when each is completed on its day. */
const series: [Rule, string, string[]][] = [
  [{ frequency: 'monthly' }, '2026-01-31', ['2026-02-28', '2026-03-31', '2026-04-30']],
  [{ frequency: 'yearly' }, '2024-02-29', ['2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
  [
    { frequency: 'weekly', interval: 2, weekdays: ['monday', 'thursday'] },
    '2026-11-16',
    ['2026-11-19', '2026-11-30'],
  ],
  [{ frequency: 'weekly', interval: 2, weekdays: ['sunday', 'tuesday'] }, '2026-11-18', ['2026-11-22']],
];

for (const [rule, first, followers] of series) {
  test(`the model rolls ${JSON.stringify(rule)} from ${first} as the interface says`, (t) => {
    let dates = {
      dueDate: first as string | null,
      deadlineDate: null as string | null,
      anchor: first as string | null,
    };
    for (const follower of followers) {
      dates = rolled(wholeRule(rule), dates, dates.dueDate ?? '');
      t.is(dates.dueDate, follower);
    }
  });
}

test('a late completion skips the dates that were missed', (t) => {
  const dates = { dueDate: '2026-11-10', deadlineDate: null, anchor: '2026-11-10' };
  t.is(rolled(wholeRule({ frequency: 'daily', interval: 3 }), dates, '2026-11-20').dueDate, '2026-11-22');
});

function run(operations: Operation[], plan: 'free' | 'premium' = 'premium') {
  let state = newAccount(plan);
  const answers = operations.map((operation) => {
    const applied = applyOperation(state, operation, today);
    state = applied.state;
    return applied.answer;
  });
  return { state, answers };
}

test('the model counts the projects of a free account that are neither closed nor trashed', (t) => {
  const create: Operation = { do: 'create project', fields: { title: 'One' } };
  const { answers } = run(
    [
      ...Array.from({ length: 6 }, () => create),
      { do: 'trash project', id: 'project 1' },
      { do: 'complete project', id: 'project 2', completeChildTasks: false },
      create,
      create,
      { do: 'uncomplete project', id: 'project 2' },
    ],
    'free',
  );
  const codes = answers.map(({ status, errorCode }) => errorCode ?? status);
  const limit = 'project_limit_reached';
  t.deepEqual(codes, [201, 201, 201, 201, 201, limit, 204, 200, 201, 201, limit]);
});

test('a refused request leaves the model’s account as it was, and one that changes nothing is no write', (t) => {
  const { state } = run([{ do: 'create task', fields: { title: 'One' } }]);
  for (const operation of [
    { do: 'uncomplete task', id: 'task 1' },
    { do: 'patch task', id: 'task 1', patch: { title: 'One' } },
    { do: 'patch task', id: 'task 1', patch: { reminderTime: '09:30' } },
    { do: 'move task', id: 'task 1', destination: { projectId: 'missing' } },
  ] satisfies Operation[]) {
    const applied = applyOperation(state, operation, today);
    t.deepEqual(applied.state, state);
    t.deepEqual(applied.changes, []);
  }
});

test('the model leaves the state it is given alone', (t) => {
  const { state } = run([
    { do: 'create task', fields: { title: 'One', recurrence: { frequency: 'daily' } } },
  ]);
  const before = structuredClone(state);
  const { state: after } = applyOperation(state, { do: 'complete task', id: 'task 1' }, today);
  t.deepEqual(state, before);
  t.is(Object.keys(after.task).length, 2);
});
