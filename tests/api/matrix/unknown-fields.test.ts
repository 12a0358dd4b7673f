import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { answerOf, invalid } from './problem-answer.ts';
import {
  answersOf,
  bodyOf,
  eachWith,
  makeIds,
  operations,
  send,
  writeOperations,
} from './request-fixtures.ts';
import { storedStateOf } from './stored-state.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const api = await stack.newClient({ plan: 'premium' });
const ids = await makeIds(api);
const untouched = await storedStateOf(stack, api.account);

test.after.always(() => stack.close());

test.after('a refused request changes nothing', async (t) => {
  t.deepEqual(await storedStateOf(stack, api.account), untouched);
});

test.serial(
  'every operation that writes refuses an unknown member by name, bodies that are not asked for included',
  async (t) => {
    const answers = await answersOf(writeOperations, async (operation) =>
      answerOf(await send(api, operation, ids, { body: { ...bodyOf(operation, ids), surplus: 1 } })),
    );
    t.deepEqual(answers, eachWith(writeOperations, invalid('surplus')));
  },
);

test.serial('every unknown member is named, beside what else is wrong', async (t) => {
  for (const operation of operations.filter(({ body }) => body !== undefined)) {
    const answer = answerOf(await send(api, operation, ids, { body: { one: 1, 'two.three': 2, title: 3 } }));
    t.is(answer.status, 400, operation.operationId);
    t.true(answer.fields?.includes('one'), operation.operationId);
    t.true(answer.fields?.includes('two.three'), operation.operationId);
  }
});

test.serial('what a response shows and a request can’t set is refused by name', async (t) => {
  const readOnly = ['id', 'descriptionHtml', 'createdAt', 'updatedAt', 'accountId'];
  const answers = await answersOf(writeOperations, async (operation) => {
    const body = { ...bodyOf(operation, ids), ...Object.fromEntries(readOnly.map((name) => [name, null])) };
    return answerOf(await send(api, operation, ids, { body }));
  });
  t.deepEqual(answers, eachWith(writeOperations, invalid(...readOnly)));
});
