import { EventEmitter } from 'node:events';
import test from 'ava';
import type { PoolClient } from 'pg';
import { leaseConnection } from '#shared/database/connection-lease.ts';

/** A connection that answers as the test says and notes how it is given back. */
function createTrial(query: (text: string) => Promise<unknown>) {
  const returns: boolean[] = [];
  const silences: Error[] = [];
  const told: unknown[] = [];
  const release = (isBroken: boolean): void => void returns.push(isBroken);
  const client = Object.assign(new EventEmitter(), { query, release });
  const lease = leaseConnection(client as unknown as PoolClient, {
    shares: { answer: 20, least: 5 },
    keepsPlans: true,
    onAnswer: () => undefined,
    onSilence: (failure) => silences.push(failure),
    observer: {
      statementSent: (text) => (failure) => told.push([text, failure]),
    },
  });
  return { client, lease, returns, silences, told };
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

for (const bound of ['begin', 'start transaction isolation level serializable', 'rollback']) {
  test(`a connection on which «${bound}» has failed is closed, since nobody would give it back`, async (t) => {
    const { lease, returns } = createTrial(() => Promise.reject(new Error('canceled')));
    await t.throwsAsync(lease.query(bound));
    t.deepEqual(returns, [true]);
  });
}

test('a connection that is lost is given back at once, and nothing more is sent on it', async (t) => {
  let sent = 0;
  const { client, lease, returns } = createTrial(async () => {
    sent += 1;
  });
  client.emit('end');
  t.deepEqual(returns, [true]);
  await t.throwsAsync(lease.query('commit'), { code: 'DATABASE_UNAVAILABLE' });
  t.is(sent, 0);
  lease.release();
  t.deepEqual(returns, [true]);
});

test('a connection that is silent is closed, and its silence told', async (t) => {
  const { lease, returns, silences } = createTrial(() => new Promise(() => undefined));
  const failure = await t.throwsAsync(lease.query('select 1'), { code: 'DATABASE_UNAVAILABLE' });
  t.deepEqual(returns, [true]);
  t.deepEqual(silences, [failure]);
  await t.throwsAsync(lease.query('rollback'), { code: 'DATABASE_UNAVAILABLE' });
});
