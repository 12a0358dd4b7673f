import test from 'ava';
import type { Recurrence, Task } from '#tests/support/api-types.ts';
import { newAccount, type TaskState } from './account-state.ts';
import { type Call, type Episode, explainingOrder, type SeenOutcome } from './linearizability.ts';
import type { Operation } from './operation.ts';
import { applyOperation } from './reference-model.ts';

/*
 * The checker is given episodes that are made up: what a right service could have answered, and what a wrong one
 * would have. It must accept the one and refuse the other.
 */

const today = '2026-11-20';
const taskId = 'a0000000-0000-4000-8000-000000000001';
const names = new Map([['task 1', taskId]]);

function beginWith(fields: Partial<TaskState>) {
  const creation: Operation = { do: 'create task', fields: { title: 'Wanted' } };
  const { state } = applyOperation(newAccount('premium'), creation, today);
  Object.assign(state.task['task 1'] ?? {}, fields);
  return state;
}

/** What the service shows of a task with these fields. */
function shown(fields: Partial<Task>): Task {
  return {
    id: taskId,
    title: 'Wanted',
    description: null,
    descriptionHtml: '',
    status: 'open',
    list: 'inbox',
    projectId: null,
    sectionId: null,
    dueDate: null,
    deadlineDate: null,
    reminderTime: null,
    recurrence: null,
    checklist: [],
    inTrash: false,
    inLogbook: fields.status !== undefined && fields.status !== 'open',
    completedAt: fields.status === 'completed' ? '2026-11-20T10:00:00.000Z' : null,
    cancelledAt: fields.status === 'cancelled' ? '2026-11-20T10:00:00.000Z' : null,
    createdAt: '2026-11-20T09:00:00.000Z',
    updatedAt: '2026-11-20T10:00:00.000Z',
    ...fields,
  };
}

/** Sent at once and answered at once, unless told otherwise. */
function call(operation: Operation, status: number, body: unknown, at: [number, number] = [0, 10]): Call {
  return { operation, response: { status, body }, sentAt: at[0], answeredAt: at[1] };
}

const refused = { errorCode: 'invalid_state' };

function outcome(tasks: Task[]): SeenOutcome {
  const live = tasks.filter(({ status, inTrash }) => status === 'open' && !inTrash);
  const inList = (list: string) => live.filter((task) => task.list === list);
  return { tasks, projects: [], lists: { inbox: inList('inbox'), someday: inList('someday') } };
}

function orderOf(calls: Call[], tasks: Task[], fields: Partial<TaskState> = {}): number[] | undefined {
  const episode: Episode = { state: beginWith(fields), names, today, calls, outcome: outcome(tasks) };
  return explainingOrder(episode);
}

const complete: Operation = { do: 'complete task', id: 'task 1' };
const cancel: Operation = { do: 'cancel task', id: 'task 1' };
const completed = shown({ status: 'completed' });
const cancelled = shown({ status: 'cancelled' });

test('of a completion and a cancellation at once, the one that was refused came second', (t) => {
  t.deepEqual(orderOf([call(cancel, 409, refused), call(complete, 200, completed)], [completed]), [1, 0]);
  t.deepEqual(orderOf([call(cancel, 200, cancelled), call(complete, 409, refused)], [cancelled]), [0, 1]);
});

test('a task can’t be both completed and cancelled', (t) => {
  const calls = [call(cancel, 200, cancelled), call(complete, 200, completed)];
  t.is(orderOf(calls, [completed]), undefined);
  t.is(orderOf(calls, [cancelled]), undefined);
});

test('nobody can be refused because of what was never done', (t) => {
  const calls = [call(cancel, 409, refused), call(complete, 409, refused)];
  t.is(orderOf(calls, [shown({})]), undefined);
});

test('an answer that tells of another state than the stored one is not explained', (t) => {
  t.is(orderOf([call(complete, 200, completed)], [shown({})]), undefined);
  t.is(orderOf([call(complete, 200, shown({}))], [completed]), undefined);
});

test('two patches of different fields are both kept; a lost one is not explained', (t) => {
  const rename: Operation = { do: 'patch task', id: 'task 1', patch: { title: 'Renamed' } };
  const describe: Operation = { do: 'patch task', id: 'task 1', patch: { description: 'notes' } };
  const both = shown({ title: 'Renamed', description: 'notes' });
  const onlyNotes = shown({ description: 'notes' });
  const calls = (last: Task) => [call(describe, 200, onlyNotes), call(rename, 200, last)];
  t.deepEqual(orderOf(calls(both), [both]), [0, 1]);
  const onlyTitle = shown({ title: 'Renamed' });
  t.is(orderOf(calls(onlyTitle), [onlyTitle]), undefined);
  t.is(orderOf(calls(onlyTitle), [onlyNotes]), undefined);
});

test('a request that was sent after another one’s answer does not come before it', (t) => {
  const calls = (at: [number, number]) => [call(cancel, 409, refused), call(complete, 200, completed, at)];
  t.deepEqual(orderOf(calls([5, 15]), [completed]), [1, 0]);
  t.is(orderOf(calls([11, 15]), [completed]), undefined);
});

const daily: Recurrence = { frequency: 'daily', interval: 1, weekdays: [], fromCompletion: false };
const repeating: Partial<TaskState> = {
  list: 'someday',
  dueDate: '2026-11-21',
  recurrence: daily,
  anchor: '2026-11-21',
};
const live = (dueDate: string) => shown({ list: 'someday', dueDate, recurrence: daily });
const logged = (dueDate: string, id: string) => shown({ id, list: 'someday', dueDate, status: 'completed' });

test('each completion of a repeating task logs its own occurrence', (t) => {
  const calls = [call(complete, 200, live('2026-11-23')), call(complete, 200, live('2026-11-22'))];
  const occurrences = [logged('2026-11-21', 'b'), logged('2026-11-22', 'c')];
  t.deepEqual(orderOf(calls, [live('2026-11-23'), ...occurrences], repeating), [1, 0]);
});

test('a double completion, a missing occurrence and a skipped date are not explained', (t) => {
  const twice = [call(complete, 200, live('2026-11-22')), call(complete, 200, live('2026-11-22'))];
  const same = [logged('2026-11-21', 'b'), logged('2026-11-21', 'c')];
  t.is(orderOf(twice, [live('2026-11-22'), ...same], repeating), undefined);
  const right = [call(complete, 200, live('2026-11-22')), call(complete, 200, live('2026-11-23'))];
  t.is(orderOf(right, [live('2026-11-23'), logged('2026-11-21', 'b')], repeating), undefined);
  const skipped = [logged('2026-11-21', 'b'), logged('2026-11-23', 'c')];
  t.is(orderOf(right, [live('2026-11-23'), ...skipped], repeating), undefined);
});

test('of two moves the later one decides, and the order of the list says which it was', (t) => {
  const create: Operation = { do: 'create task', fields: { title: 'Added' } };
  const move: Operation = { do: 'move task', id: 'task 1', destination: { list: 'inbox' } };
  const added = shown({ id: 'd', title: 'Added' });
  const calls = [call(create, 201, added), call(move, 200, shown({}))];
  t.deepEqual(orderOf(calls, [added, shown({})]), [1, 0]);
  t.deepEqual(orderOf(calls, [shown({}), added]), [0, 1]);
});
