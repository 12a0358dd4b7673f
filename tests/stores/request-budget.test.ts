import type { Server } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import express, { type RequestHandler } from 'express';
import {
  databaseTimeLeft,
  limitDatabaseTime,
  spendDatabaseTime,
  withDatabaseTime,
  withoutRequestBudget,
} from '#shared/database/request-budget.ts';
import { waitSharesOf } from '#shared/database/wait-shares.ts';
import { createApiServer, listen } from '#shared/http/run-server.ts';
import { waitFor } from '../support/wait-for.ts';

async function pass(milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (performance.now() < end) await new Promise((resolve) => setImmediate(resolve));
}

async function serve(t: ExecutionContext, handler: RequestHandler): Promise<string> {
  const app = express();
  app.use(limitDatabaseTime(1_000), handler);
  const server: Server = createApiServer(app);
  await listen(server, 0, '127.0.0.1');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/`;
}

test('waiting is paid by the request that waits, and only waiting for the database', async (t) => {
  const url = await serve(t, async (_req, res) => {
    await pass(30);
    const untouched = databaseTimeLeft();
    await spendDatabaseTime(() => pass(30));
    res.json({ untouched, left: databaseTimeLeft() });
  });
  for (const _ of ['first', 'second']) {
    const { untouched, left } = (await (await fetch(url)).json()) as { untouched: number; left: number };
    t.is(untouched, 1_000);
    t.true(left <= 970);
  }
});

test('what fails is paid too', async (t) => {
  await withDatabaseTime(1_000, async () => {
    const lost = async (): Promise<void> => {
      await pass(30);
      throw new Error('lost');
    };
    await t.throwsAsync(spendDatabaseTime(lost), { message: 'lost' });
    t.true(databaseTimeLeft() <= 970);
  });
});

test('what a request leaves behind has no part in its budget', async (t) => {
  const left: number[] = [];
  const url = await serve(t, (_req, res) => {
    res.once('close', () => setImmediate(() => left.push(databaseTimeLeft())));
    res.end();
  });
  await fetch(url);
  await waitFor(() => left.length);
  t.deepEqual(left, [Number.POSITIVE_INFINITY]);
});

test('outside of requests the time is not limited, nor for work that is nobody’s', (t) => {
  t.is(databaseTimeLeft(), Number.POSITIVE_INFINITY);
  t.is(
    withDatabaseTime(10, () => withoutRequestBudget(databaseTimeLeft)),
    Number.POSITIVE_INFINITY,
  );
});

for (const milliseconds of [100, 2_500, 60_000]) {
  test(`of ${milliseconds} ms the server ends a statement before it is given up here`, (t) => {
    const { connection, lock, statement, answer, least } = waitSharesOf(milliseconds);
    t.true(lock < statement && statement < answer);
    t.true(connection + answer <= 1.12 * milliseconds);
    t.true(least > 0 && least < answer);
  });
}
