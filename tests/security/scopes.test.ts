import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Scope } from '#shared/scopes.ts';
import { answerOf, authenticationAnswers } from '#tests/api/matrix/problem-answer.ts';
import { startStack } from '#tests/support/stack.ts';
import { documentedOperations, sendDocumented } from './documented-operations.ts';
import { createTokenKinds } from './kinds-of-tokens.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { withAuthServer: true });
const operations = await documentedOperations(stack.apiRoot);
const kinds = await createTokenKinds(stack);
const { missing, outOfScope } = authenticationAnswers(stack.baseUrl);
test.after.always(() => stack.close());

/** The whole table, by hand: what is served and not named here fails, and so does what is named and not served. */
const neededScopes: Record<string, Scope | null> = {
  getIdentity: 'read',
  exchangeToken: null,
  getOpenApiDocument: null,
  getReferencePage: null,
  listTasks: 'read',
  listProjectTasks: 'read',
  getTask: 'read',
  createTask: 'write',
  patchTask: 'write',
  moveTask: 'write',
  completeTask: 'write',
  uncompleteTask: 'write',
  cancelTask: 'write',
  uncancelTask: 'write',
  trashTask: 'write',
  restoreTask: 'write',
  listProjects: 'read',
  getProject: 'read',
  createProject: 'write',
  updateProject: 'write',
  completeProject: 'write',
  uncompleteProject: 'write',
  deleteProject: 'write',
  listSections: 'read',
  createSection: 'write',
  updateSection: 'write',
  deleteSection: 'write',
  listAreas: 'read',
  getArea: 'read',
  createArea: 'write',
  updateArea: 'write',
  deleteArea: 'write',
};

test('the served document names every operation with the scope that it needs', (t) => {
  const documented = Object.fromEntries(operations.map(({ operationId, scope }) => [operationId, scope]));
  t.deepEqual(documented, neededScopes);
});

const sets: Record<string, readonly Scope[]> = {
  none: [],
  'read alone': ['read'],
  'write alone': ['write'],
  both: ['read', 'write'],
};
const guarded = operations.filter(({ operationId }) => neededScopes[operationId] !== null);

for (const [kind, make] of Object.entries(kinds)) {
  for (const [name, granted] of Object.entries(sets)) {
    // A personal token always has a scope: see below.
    if (granted.length === 0 && kind !== 'an app’s token') continue;
    test.serial(
      `${kind} with ${name} of the scopes opens exactly the operations that need no other`,
      async (t) => {
        const account = await stack.createAccount({ plan: 'premium' });
        const client = stack.client(await make(account, granted));
        const ids = {
          tasks: randomUUID(),
          projects: randomUUID(),
          sections: randomUUID(),
          areas: randomUUID(),
        };
        for (const operation of guarded) {
          const answer = await sendDocumented(client, operation, ids);
          const needed = neededScopes[operation.operationId] ?? null;
          if (needed === null || granted.includes(needed)) {
            t.false([401, 403].includes(answer.status), `${operation.operationId} ${answer.status}`);
          } else {
            t.deepEqual(answerOf(answer), outOfScope(needed), operation.operationId);
          }
        }
      },
    );
  }
}

test('no operation that needs a scope is answered without a token', async (t) => {
  const ids = { tasks: randomUUID(), projects: randomUUID(), sections: randomUUID(), areas: randomUUID() };
  for (const operation of guarded)
    t.deepEqual(
      answerOf(await sendDocumented(stack.anonymous, operation, ids)),
      missing,
      operation.operationId,
    );
});
