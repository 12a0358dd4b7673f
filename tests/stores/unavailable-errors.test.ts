import test from 'ava';
import { DatabaseUnavailableError, isDatabaseUnavailable } from '#shared/database/database-unavailable.ts';

function failure(message: string, properties: object = {}): Error {
  return Object.assign(new Error(message), properties);
}

/** Of PostgreSQL, the driver, its pool and the network. */
const unavailable = [
  failure('terminating connection due to administrator command', { code: '57P01' }),
  failure('terminating connection because of crash of another server process', { code: '57P02' }),
  failure('the database system is starting up', { code: '57P03' }),
  failure('terminating connection due to idle-session timeout', { code: '57P05' }),
  failure('canceling statement due to statement timeout', { code: '57014' }),
  failure('canceling statement due to lock timeout', { code: '55P03' }),
  failure('terminating connection due to idle-in-transaction timeout', { code: '25P03' }),
  failure('cannot execute INSERT in a read-only transaction', { code: '25006' }),
  failure('could not extend file: No space left on device', { code: '53100' }),
  failure('out of shared memory', { code: '53200' }),
  failure('sorry, too many clients already', { code: '53300' }),
  failure('could not read block', { code: '58030' }),
  failure('deadlock detected', { code: '40P01' }),
  failure('password authentication failed', { code: '28P01' }),
  failure('database does not exist', { code: '3D000' }),
  failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }),
  failure('read ECONNRESET', { code: 'ECONNRESET' }),
  failure('write EPIPE', { code: 'EPIPE' }),
  failure('connect ETIMEDOUT', { code: 'ETIMEDOUT' }),
  failure('connect ENETUNREACH', { code: 'ENETUNREACH' }),
  failure('getaddrinfo ENOTFOUND postgres', { code: 'ENOTFOUND' }),
];

for (const error of unavailable) {
  test(`«${error.message}» is the database’s failure`, (t) => {
    t.true(isDatabaseUnavailable(error));
    t.true(isDatabaseUnavailable(new Error('a query failed', { cause: error })));
  });
}

test('our own timeouts are failures of the database, even when wrapped', (t) => {
  const refusal = new DatabaseUnavailableError('no connection was had');
  t.true(isDatabaseUnavailable(refusal));
  t.true(isDatabaseUnavailable(Object.assign(new Error(refusal.message), { ...refusal })));
});

test('one of several failed addresses is enough', (t) => {
  t.true(isDatabaseUnavailable(new AggregateError([failure('refused', { code: 'ECONNREFUSED' })])));
});

const faulty: [what: string, thrown: unknown][] = [
  ['a unique violation', failure('duplicate key value', { code: '23505' })],
  ['a syntax error', failure('syntax error', { code: '42601' })],
  ['a value out of range', failure('out of range', { code: '22003' })],
  ['a statement in a failed transaction', failure('transaction is aborted', { code: '25P02' })],
  ['a mistake of the program', new TypeError('undefined is not a function')],
  ['what is no error', '57P01'],
];

for (const [what, thrown] of faulty) {
  test(`${what} is not the database’s failure`, (t) => {
    t.false(isDatabaseUnavailable(thrown));
  });
}
