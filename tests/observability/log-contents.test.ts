import test from 'ava';
import { statementShape } from '#shared/database/database-observer.ts';
import { loggablePath } from '#shared/http/log-requests.ts';
import { createRouteFinder } from '#shared/http/request-route.ts';
import { logSlowStatements } from '#shared/logging/log-slow-statements.ts';
import { createCapturedLog } from '#tests/support/captured-log.ts';

test('neither the details of an error nor quoted input is logged', (t) => {
  const log = createCapturedLog();
  const logger = log.loggerFor('test');
  const withCode = (message: string, code: string): Error => Object.assign(new Error(message), { code });
  logger.error(
    { err: withCode('relation "t" does not exist\n - detail: secret\n    at secret line', '42P01') },
    'x',
  );
  logger.error({ err: withCode('invalid input syntax for type uuid: "secret"', '22P02') }, 'x');
  logger.error({ err: catchError(() => JSON.parse('secret text')) }, 'x');
  logger.error({ err: Object.assign(new Error('x'), { detail: 'secret', query: 'secret' }) }, 'x');
  logger.error({ err: 'secret' }, 'x');
  t.false(JSON.stringify(log.lines).includes('secret'));
  const errors = log.lines.map(({ err }) => err as { message: string; code?: string; stack?: string });
  t.is(errors[0]?.message, 'relation "t" does not exist');
  t.is(errors[0]?.code, '42P01');
  t.is(errors[1]?.message, 'left out, since it quotes the input');
  t.regex(errors[0]?.stack ?? '', /^ {4}at .*log-contents\.test\.ts/);
});

test('a statement’s shape holds nothing of its values, however they are quoted', (t) => {
  for (const value of [`'secret'`, `'it''s - "secret"'`, `'\\''secret\n;'`, `'$7 ? secret ü'`])
    t.false(
      statementShape(`select "a" from t where b = ${value} and c = 7`, 1_000).includes('secret'),
      value,
    );
  t.is(statementShape(`select "c1", 'x' from t2 limit 10`, 100), 'select "c1", ? from t2 limit ?');
  t.is(statementShape('select 1', 3), 'sel');
});

test('the log shows a path’s route segments, ids and short segments', (t) => {
  const find = createRouteFinder([
    '/tasks',
    '/tasks/{id}',
    '/oauth/interaction/:uid',
    '/.well-known/oauth-authorization-server',
  ]);
  const shown = (url: string): string => loggablePath(url, find(url.split('?', 1)[0] ?? ''));
  const id = '0198f0a4-5f5c-7000-8000-000000000001';
  t.is(shown(`/tasks/${id}?token=secret`), `/tasks/${id}`);
  t.is(shown('/tasks/tdo_0123456789abcdef0123'), '/tasks/…');
  t.is(shown('/oauth/interaction/V1StGXR8_Z5jdHi6B-myT'), '/oauth/interaction/…');
  t.is(shown('/.well-known/oauth-authorization-server'), '/.well-known/oauth-authorization-server');
  t.is(shown('/nowhere/else'), '/nowhere/else');
  t.is(shown('/nowhere/eyJhbGciOiJFUzI1NiJ9'), '/nowhere/…');
  t.is(find('/oauth/interaction/x'), '/oauth/interaction/{uid}');
  t.deepEqual(['/tasks/', '/tasks/a/b', '/Tasks', ''].map(find), Array(4).fill('unmatched'));
});

test('slow queries are logged, one a second at most and without values', (t) => {
  const log = createCapturedLog();
  let now = 0;
  const observer = logSlowStatements(log.loggerFor('test'), () => now);
  const run = (milliseconds: number): void => {
    const end = observer.statementSent("select 'secret'");
    now += milliseconds;
    end();
  };
  run(999);
  t.is(log.lines.length, 0);
  run(1_000);
  t.like(log.lines[0], { level: 40, milliseconds: 1_000, statement: 'select ?' });
  const first = observer.statementSent('select 1');
  const second = observer.statementSent('select 2');
  now += 5_000;
  first();
  second();
  t.is(log.lines.length, 2);
});

function catchError(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
