import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import type { TestToken } from '#tests/support/test-accounts.ts';
import { answerOf, authenticationAnswers, suspended } from './problem-answer.ts';
import {
  answersOf,
  eachWith,
  makeIds,
  operations,
  readOperations,
  send,
  writeOperations,
} from './request-fixtures.ts';
import { storedStateOf } from './stored-state.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { withAuthServer: true });
const owner = await stack.newClient({ plan: 'premium' });
const ids = await makeIds(owner);
const { refused, outOfScope } = authenticationAnswers(stack.baseUrl);
const untouched = await storedStateOf(stack, owner.account);

test.after.always(() => stack.close());

test.after('a refused request changes nothing', async (t) => {
  t.deepEqual(await storedStateOf(stack, owner.account), untouched);
});

async function exchange({ secret }: TestToken, scope?: string): Promise<string> {
  const body = { subjectToken: secret, ...(scope && { scope }) };
  const answer = await stack.anonymous.post<{ accessToken: string }>('/auth/token', body);
  if (answer.status !== 200) throw new Error(`the exchange was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.accessToken;
}

const answersTo = (accessToken: string, some = operations) =>
  answersOf(some, async (operation) => answerOf(await send(stack.client(accessToken), operation, ids)));

test.serial('every operation serves an access token exchanged for a personal one', async (t) => {
  const answers = await answersOf(operations, async (operation) => {
    const api = await stack.newClient({ plan: 'premium' });
    const client = stack.client(await exchange(api.token));
    return answerOf(await send(client, operation, await makeIds(api)));
  });
  t.deepEqual(
    answers,
    eachWith(operations, ({ success }) => ({ status: success.status })),
  );
});

test.serial(
  'every operation refuses an access token from the moment its personal token is revoked',
  async (t) => {
    const token = await stack.createToken(owner.account);
    const accessToken = await exchange(token);
    t.is((await stack.client(accessToken).get('/me')).status, 200);
    await stack.revokeToken(token);
    t.deepEqual(await answersTo(accessToken), eachWith(operations, refused));
  },
);

test.serial('an access token exchanged for reading alone can’t write', async (t) => {
  const accessToken = await exchange(owner.token, 'read');
  t.deepEqual(await answersTo(accessToken, readOperations), eachWith(readOperations, { status: 200 }));
  t.deepEqual(await answersTo(accessToken, writeOperations), eachWith(writeOperations, outOfScope('write')));
});

test.serial('an access token exchanged for writing alone can’t read', async (t) => {
  const accessToken = await exchange(owner.token, 'write');
  t.deepEqual(await answersTo(accessToken, readOperations), eachWith(readOperations, outOfScope('read')));
  const api = await stack.newClient();
  const writer = stack.client(await exchange(api.token, 'write'));
  t.is((await makeTask(writer)).status, 'open');
});

test.serial('every operation refuses an access token that was tampered with', async (t) => {
  const [header, payload, signature = ''] = (await exchange(owner.token)).split('.');
  const other = signature.startsWith('A') ? 'B' : 'A';
  const tampered = [header, payload, other + signature.slice(1)].join('.');
  t.deepEqual(await answersTo(tampered), eachWith(operations, refused));
  t.deepEqual(await answersTo(`${header}.${payload}.`), eachWith(operations, refused));
});

test.serial('an access token of another account reaches that account’s data alone', async (t) => {
  const stranger = await stack.newClient();
  const client = stack.client(await exchange(stranger.token));
  t.is((await client.get(`/tasks/${ids.task}`)).status, 404);
  t.is((await client.get('/me')).body.accountId, stranger.account.accountId);
  t.deepEqual((await client.get('/tasks?view=all')).body.items, []);
});

test.serial('a suspended account is read and not written with an access token', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const itsIds = await makeIds(api);
  const client = stack.client(await exchange(api.token));
  await stack.setStatus(api.account, 'suspended');
  t.deepEqual(
    await answersOf(operations, async (operation) => answerOf(await send(client, operation, itsIds))),
    eachWith(operations, ({ scope }) => (scope === 'write' ? suspended : { status: 200 })),
  );
});

test.serial(
  'every operation refuses an access token once its time is over, and its personal token once that is',
  async (t) => {
    const later = await startStack(t, { withAuthServer: true, now: '2026-11-16T12:00:00Z' });
    const api = await later.newClient({ expiresAt: new Date('2026-11-16T13:00:00Z') });
    const itsIds = await makeIds(api);
    const answer = await later.anonymous.post<{ accessToken: string; expiresIn: number }>('/auth/token', {
      subjectToken: api.token.secret,
    });
    const client = later.client(answer.body.accessToken);
    const { refused: refusedThere } = authenticationAnswers(later.baseUrl);
    t.is((await client.get('/me')).status, 200);

    const toleranceSeconds = 5;
    later.clock.advance((answer.body.expiresIn + toleranceSeconds) * 1_000);
    t.deepEqual(
      await answersOf(operations, async (operation) => answerOf(await send(client, operation, itsIds))),
      eachWith(operations, refusedThere),
    );

    t.is((await api.get('/me')).status, 200);
    later.clock.set('2026-11-16T13:00:00Z');
    t.deepEqual(
      await answersOf(operations, async (operation) => answerOf(await send(api, operation, itsIds))),
      eachWith(operations, refusedThere),
    );
  },
);
