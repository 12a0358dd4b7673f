import { EventEmitter } from 'node:events';
import test from 'ava';
import type { PoolClient } from 'pg';
import { leaseConnection } from '#shared/database/connection-lease.ts';
import { markUnanswered } from '#shared/database/unanswered-statements.ts';

/** A connection that answers as the test says and notes how it is given back. */
function createTrial(query: (text: string) => Promise<unknown>) {
  const returns: boolean[] = [];
  const silences: Error[] = [];
  const told: unknown[] = [];
  const release = (isBroken: boolean): void => void returns.push(isBroken);
  const wire: string[] = [];
  const stream = {
    cork: () => wire.push('['),
    uncork: () => wire.push(']'),
    destroy: () => wire.push('destroyed'),
  };
  const send = (statement: string | { text: string }): Promise<unknown> => {
    const text = typeof statement === 'string' ? statement : statement.text;
    wire.push(text);
    return query(text);
  };
  const client = Object.assign(new EventEmitter(), { query: send, release, connection: { stream } });
  const lease = leaseConnection(client as unknown as PoolClient, {
    shares: { answer: 20, least: 5 },
    keepsPlans: true,
    onAnswer: () => undefined,
    onSilence: (failure) => silences.push(failure),
    observer: {
      statementSent: (text) => (failure) => told.push([text, failure]),
    },
  });
  return { client, lease, returns, silences, told, wire };
}

test('a connection that served is given back as it is, once', async (t) => {
  const { client, lease, returns, told } = createTrial(async () => 'rows');
  t.is(String(await lease.query('select 1')), 'rows');
  lease.release();
  lease.release();
  client.emit('end');
  t.deepEqual(returns, [false]);
  t.deepEqual(told, [['select 1', undefined]]);
});

test('a statement that fails leaves the connection with its holder', async (t) => {
  const { lease, returns, told } = createTrial(() => Promise.reject(new Error('duplicate key')));
  const failure = await t.throwsAsync(lease.query('insert'), { message: 'duplicate key' });
  t.deepEqual(returns, []);
  t.deepEqual(told, [['insert', failure]]);
});

test('a connection on which «rollback» has failed is closed, since nobody would give it back', async (t) => {
  const { lease, returns } = createTrial(() => Promise.reject(new Error('canceled')));
  await t.throwsAsync(lease.query('rollback'));
  t.deepEqual(returns, [true]);
});

test('a connection that is lost is given back at once, and nothing more is sent on it', async (t) => {
  let sent = 0;
  const { client, lease, returns } = createTrial(async () => {
    sent += 1;
  });
  client.emit('end');
  t.deepEqual(returns, [true]);
  for (const text of ['begin', 'commit', 'rollback'])
    await t.throwsAsync(lease.query(text), { code: 'DATABASE_UNAVAILABLE' });
  t.is(sent, 0);
  lease.release();
  t.deepEqual(returns, [true]);
});

test('a connection that is silent is closed, and its silence told', async (t) => {
  const { lease, returns, silences, wire } = createTrial(() => new Promise(() => undefined));
  const failure = await t.throwsAsync(lease.query('select 1'), { code: 'DATABASE_UNAVAILABLE' });
  t.deepEqual(returns, [true]);
  t.deepEqual(silences, [failure]);
  t.is(wire.at(-1), 'destroyed');
  await t.throwsAsync(lease.query('rollback'), { code: 'DATABASE_UNAVAILABLE' });
});

/** A statement whose sender needs no answer. */
function sendUnanswered(lease: ReturnType<typeof leaseConnection>, text: string): Promise<unknown> {
  const values: unknown[] = [];
  markUnanswered(values);
  return lease.query(text, values);
}

test('statements that nobody waits for go with the next one, in order and at once', async (t) => {
  const { lease, told, wire } = createTrial(async (text) => `of ${text}`);
  await lease.query('begin');
  t.deepEqual(wire, []);
  t.is(String(await lease.query('select lock')), 'of select lock');
  await sendUnanswered(lease, 'insert');
  await sendUnanswered(lease, 'append');
  t.is(String(await lease.query('commit')), 'of commit');
  t.deepEqual(wire, ['[', 'begin', 'select lock', ']', '[', 'insert', 'append', 'commit', ']']);
  t.deepEqual(
    told.map((each) => (each as [text: string])[0]),
    ['begin', 'select lock', 'insert', 'append', 'commit'],
  );
});

test('what such a statement throws the next one throws, when nothing is under way any more', async (t) => {
  const late = Promise.withResolvers<unknown>();
  const { lease, returns } = createTrial((text) =>
    text === 'insert' ? Promise.reject(new Error('duplicate key')) : late.promise,
  );
  await sendUnanswered(lease, 'insert');
  let isSettled = false;
  const commit = lease.query('commit').finally(() => {
    isSettled = true;
  });
  await Promise.resolve();
  t.false(isSettled);
  late.resolve('rolled back');
  await t.throwsAsync(commit, { message: 'duplicate key' });
  t.deepEqual(returns, []);
});

test('a transaction that is rolled back before anything was sent sends nothing', async (t) => {
  const { lease, returns, wire } = createTrial(async () => 'rows');
  for (const beginning of ['begin', 'start transaction isolation level serializable']) {
    await lease.query(beginning);
    await sendUnanswered(lease, 'insert');
    await lease.query('rollback');
  }
  lease.release();
  t.deepEqual(wire, []);
  t.deepEqual(returns, [false]);
});

test('a transaction that is rolled back sends nothing of what was held', async (t) => {
  const { lease, wire } = createTrial(async () => 'rows');
  await lease.query('begin');
  await lease.query('select lock');
  await sendUnanswered(lease, 'insert');
  await lease.query('rollback');
  t.deepEqual(wire, ['[', 'begin', 'select lock', ']', 'rollback']);
});
