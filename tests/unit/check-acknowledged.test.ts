import test from 'ava';
import { checkAcknowledged, type StoredAccount } from '#tools/faults/check-acknowledged.ts';
import type { TaskChange, WriteOutcome, WriteRecord } from '#tools/faults/write-history.ts';

const accountId = 'account';
const none = { lost: [], halfWritten: [], gaps: [], duplicates: [] };

function write(change: TaskChange, outcome: WriteOutcome = 'acknowledged', taskId?: string): WriteRecord {
  return { accountId, label: 'milk', taskId: taskId ?? 'a', change, isKeyed: true, outcome };
}

const created = write({ kind: 'create', list: 'inbox' });
const row = { id: 'a', title: 'milk', status: 'open', list: 'inbox', inTrash: false, updatedAt: 10 };
const entry = { sequence: 1, entity: 'task', entityId: 'a', changedAt: 10 };

function stored(changes: Partial<StoredAccount> = {}): StoredAccount[] {
  return [{ accountId, lastSequence: 1, tasks: [row], entries: [entry], ...changes }];
}

/** The stored task with changed columns. */
const task = (changes: Partial<typeof row>): StoredAccount[] => stored({ tasks: [{ ...row, ...changes }] });

test('a task that is stored as it was acknowledged is no finding', (t) => {
  t.deepEqual(checkAcknowledged([created], stored()), none);
});

test('an acknowledged task that is gone is lost', (t) => {
  const empty = stored({ lastSequence: 0, tasks: [], entries: [] });
  t.deepEqual(checkAcknowledged([created], empty), {
    ...none,
    lost: ['«milk» was acknowledged and is gone'],
  });
});

test('an account of which nothing is read is lost with all its acknowledged writes', (t) => {
  t.is(checkAcknowledged([created], []).lost.length, 1);
});

const changes: Record<string, [TaskChange, Partial<typeof row>]> = {
  'a patch': [{ kind: 'patch', title: 'oat milk' }, { title: 'oat milk' }],
  'a move': [{ kind: 'move', list: 'someday' }, { list: 'someday' }],
  'a completion': [{ kind: 'complete' }, { status: 'completed' }],
  'a way to the Trash': [{ kind: 'trash' }, { inTrash: true }],
};

for (const [what, [change, changed]] of Object.entries(changes)) {
  test(`${what} that was acknowledged must be stored`, (t) => {
    t.deepEqual(checkAcknowledged([created, write(change)], task(changed)), none);
    t.is(checkAcknowledged([created, write(change)], stored()).lost.length, 1);
  });

  test(`${what} with an unknown outcome may be stored or not`, (t) => {
    const history = [created, write(change, 'unknown')];
    t.deepEqual(checkAcknowledged(history, task(changed)), none);
    t.deepEqual(checkAcknowledged(history, stored()), none);
  });

  test(`${what} that was refused must not be stored`, (t) => {
    t.not(checkAcknowledged([created, write(change, 'refused')], task(changed)).lost.length, 0);
  });
}

test('an acknowledged change may be overwritten by a later one of unknown outcome, not by an earlier one', (t) => {
  const first = write({ kind: 'patch', title: 'first' });
  const unknown = write({ kind: 'patch', title: 'second' }, 'unknown');
  t.deepEqual(checkAcknowledged([created, first, unknown], task({ title: 'second' })), none);
  t.is(checkAcknowledged([created, unknown, first], task({ title: 'second' })).lost.length, 1);
});

test('a task whose creation has an unknown outcome is stored at most once', (t) => {
  const unknown = { ...created, taskId: undefined, outcome: 'unknown' } as const;
  const twice = stored({
    lastSequence: 2,
    tasks: [row, { ...row, id: 'b' }],
    entries: [entry, { ...entry, sequence: 2, entityId: 'b' }],
  });
  t.deepEqual(checkAcknowledged([unknown], stored()), none);
  t.deepEqual(checkAcknowledged([unknown], stored({ lastSequence: 0, tasks: [], entries: [] })), none);
  t.is(checkAcknowledged([unknown], twice).duplicates.length, 1);
  t.is(checkAcknowledged([created], twice).duplicates.length, 1);
});

test('a repeating task has as many occurrences as were acknowledged, more by those of unknown outcome', (t) => {
  const repeat = (outcome: WriteOutcome) => write({ kind: 'complete-repeating' }, outcome);
  const withOccurrences = (count: number): StoredAccount[] => {
    const occurrences = Array.from({ length: count }, (_, index) => ({
      ...row,
      id: `o${index}`,
      status: 'completed',
    }));
    const entries = ['a', ...occurrences.map(({ id }) => id)].map((entityId, index) => ({
      ...entry,
      sequence: index + 1,
      entityId,
    }));
    return stored({ lastSequence: entries.length, tasks: [row, ...occurrences], entries });
  };
  const history = [created, repeat('acknowledged'), repeat('unknown'), repeat('acknowledged')];
  t.is(checkAcknowledged(history, withOccurrences(1)).lost.length, 1);
  t.deepEqual(checkAcknowledged(history, withOccurrences(2)), none);
  t.deepEqual(checkAcknowledged(history, withOccurrences(3)), none);
  t.is(checkAcknowledged(history, withOccurrences(4)).duplicates.length, 1);
});

test('a row without its feed entry, or with an older one, is half-written', (t) => {
  t.is(checkAcknowledged([created], stored({ lastSequence: 0, entries: [] })).halfWritten.length, 1);
  t.is(checkAcknowledged([created], task({ updatedAt: 11 })).halfWritten.length, 1);
});

test('a feed entry without its row is half-written', (t) => {
  const stray = { ...entry, sequence: 2, entityId: 'b' };
  const found = checkAcknowledged([created], stored({ lastSequence: 2, entries: [entry, stray] }));
  t.deepEqual(found.halfWritten, ['feed entry without a row: task b']);
});

test('a missing number, a double number and a wrong last number are gaps', (t) => {
  const next = { ...entry, sequence: 2 };
  t.is(checkAcknowledged([created], stored({ lastSequence: 2, entries: [next] })).gaps.length, 1);
  t.is(checkAcknowledged([created], stored({ entries: [entry, entry] })).gaps.length, 1);
  t.is(checkAcknowledged([created], stored({ lastSequence: 2 })).gaps.length, 1);
});
