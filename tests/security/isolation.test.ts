import { randomUUID } from 'node:crypto';
import test from 'ava';
import { answerOf, notFound } from '#tests/api/matrix/problem-answer.ts';
import { makeIds } from '#tests/api/matrix/request-fixtures.ts';
import { storedStateOf } from '#tests/api/matrix/stored-state.ts';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { documentedOperations, type Ids, sendDocumented } from './documented-operations.ts';
import { createTokenKinds } from './kinds-of-tokens.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { withAuthServer: true });
const victim = await stack.newClient({ plan: 'premium' });
const stranger = await stack.newClient({ plan: 'premium' });
const [foreignIds, ownIds] = [await idsOf(victim), await idsOf(stranger)];
const before = [await storedStateOf(stack, victim.account), await storedStateOf(stack, stranger.account)];
const operations = await documentedOperations(stack.apiRoot);
const operationsWithId = operations.filter(({ path }) => path.includes('{'));
const kinds = await createTokenKinds(stack);
test.after.always(() => stack.close());

test.after('nothing of it changed anything in either account', async (t) => {
  const after = [await storedStateOf(stack, victim.account), await storedStateOf(stack, stranger.account)];
  t.deepEqual(after, before);
});

async function idsOf(client: ApiClient): Promise<Ids> {
  const { task, project, section, area } = await makeIds(client);
  return { tasks: task, projects: project, sections: section, areas: area };
}

function missingIds(): Ids {
  return { tasks: randomUUID(), projects: randomUUID(), sections: randomUUID(), areas: randomUUID() };
}

/** Everything of an answer but what is another in every answer. */
function comparable({ status, headers, body }: ApiResponse): unknown {
  const own = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'];
  const kept = [...headers].filter(([name]) => !own.includes(name));
  return { status, headers: kept, body: { ...body, requestId: '' } };
}

/** The ids of a path, of which these alone are another’s. */
function pathIds(names: readonly (keyof Ids)[], others: Ids): Ids {
  return { ...ownIds, ...Object.fromEntries(names.map((name) => [name, others[name]])) };
}

test('the document names operations about ids, each of a known collection', (t) => {
  t.true(operationsWithId.length >= 20, String(operationsWithId.length));
  const parameters = operationsWithId.flatMap(({ path }) => path.match(/\w+\/\{\w+\}/g) ?? []);
  const collections = new Set(parameters.map((parameter) => parameter.split('/')[0]));
  t.deepEqual([...collections].toSorted(), ['areas', 'projects', 'sections', 'tasks']);
});

for (const [kind, make] of Object.entries(kinds)) {
  test.serial(
    `${kind} is told of another account’s id what it is told of a missing one, by every operation`,
    async (t) => {
      const client = stack.client(await make(stranger.account, ['read', 'write']));
      for (const operation of operationsWithId) {
        const inPath = [...operation.path.matchAll(/(\w+)\/\{/g)].map(([, name]) => name as keyof Ids);
        for (const names of [inPath, ...inPath.map((name) => [name])]) {
          const foreign = await sendDocumented(client, operation, pathIds(names, foreignIds), ownIds);
          const missing = await sendDocumented(client, operation, pathIds(names, missingIds()), ownIds);
          const what = `${operation.operationId} ${names.join()}`;
          t.deepEqual(answerOf(foreign), notFound, what);
          t.deepEqual(comparable(foreign), comparable(missing), what);
        }
      }
    },
  );
}
