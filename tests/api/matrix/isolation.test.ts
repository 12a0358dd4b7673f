import test from 'ava';
import type { Operation } from '#shared/http/operation.ts';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import { makeProject, makeSection } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { type Answer, answerOf, invalid, notFound } from './problem-answer.ts';
import {
  answersOf,
  bodyOf,
  eachWith,
  type Ids,
  idFieldsOf,
  makeIds,
  missingIds,
  operations,
  send,
} from './request-fixtures.ts';
import { storedStateOf } from './stored-state.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const api = await stack.newClient({ plan: 'premium' });
const stranger = await stack.newClient({ plan: 'premium' });
const ids = await makeIds(api);
const foreignIds = await makeIds(stranger);
const untouched = [await storedStateOf(stack, api.account), await storedStateOf(stack, stranger.account)];

test.after.always(() => stack.close());

test.after('a request with unknown ids changes nothing in either account', async (t) => {
  t.deepEqual(
    [await storedStateOf(stack, api.account), await storedStateOf(stack, stranger.account)],
    untouched,
  );
});

const operationsWithId = operations.filter(({ path }) => path.includes('{'));

/** What may differ between two requests whatever they ask for. */
const ownToEachRequest = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'];

/** Everything of an answer that a caller sees, its request id aside. */
function visible({ status, headers, body }: ApiResponse): string {
  const kept = [...headers].filter(([name]) => !ownToEachRequest.includes(name));
  return JSON.stringify([status, kept, { ...body, requestId: '' }]);
}

test.serial('another account’s id gets the same response as an unknown one', async (t) => {
  for (const operation of operationsWithId) {
    const body = bodyOf(operation, ids);
    const foreign = await send(api, operation, foreignIds, { body });
    const missing = await send(api, operation, missingIds(), { body });
    t.deepEqual(answerOf(foreign), notFound, operation.operationId);
    t.is(visible(foreign), visible(missing), operation.operationId);
  }
});

const malformed = (text: string): Ids => ({ task: text, section: text, project: text, area: text });

const malformedIds = {
  'a word': 'xyz',
  'a number': '1',
  'a UUID in braces': `%7B${ids.task}%7D`,
  'a UUID without dashes': ids.task.replaceAll('-', ''),
  'a UUID of one character too many': `${ids.task}0`,
  'a quotation mark': "'",
  'a blank': '%20',
  'an encoded slash': '%2f',
  'an encoded U+0000': '%00',
};

test.serial('a malformed id gets the same response as an unknown one', async (t) => {
  for (const operation of operationsWithId) {
    const body = bodyOf(operation, ids);
    const missing = visible(await send(api, operation, missingIds(), { body }));
    for (const [what, text] of Object.entries(malformedIds)) {
      const odd = await send(api, operation, malformed(text), { body });
      t.is(visible(odd), missing, `${operation.operationId}: ${what}`);
    }
  }
});

test.serial('an id in capitals names the same resource', async (t) => {
  const answers = await answersOf(operationsWithId, async (operation) => {
    const client = await stack.newClient({ plan: 'premium' });
    const own = await makeIds(client);
    const capitals = Object.fromEntries(Object.entries(own).map(([kind, id]) => [kind, id.toUpperCase()]));
    return answerOf(await send(client, operation, { ...own, ...capitals }));
  });
  t.deepEqual(
    answers,
    eachWith(operationsWithId, ({ success }) => ({ status: success.status })),
  );
});

test.serial('an id is found only for its own kind of resource', async (t) => {
  const swapped: Ids = { task: ids.project, section: ids.task, project: ids.area, area: ids.task };
  const answers = await answersOf(operationsWithId, async (operation) =>
    answerOf(await send(api, operation, swapped, { body: bodyOf(operation, ids) })),
  );
  t.deepEqual(answers, eachWith(operationsWithId, notFound));
});

test.serial('a section is found only in its own project', async (t) => {
  const own = await stack.newClient();
  const ownIds = await makeIds(own);
  const { id: otherProject } = await makeProject(own);
  const { id: otherSection } = await makeSection(own, otherProject);
  const inSections = operations.filter(({ path }) => path.includes('{sectionId}'));
  t.true(inSections.length > 0);
  for (const [what, mixed] of [
    ['another project of the account', { ...ownIds, project: otherProject }],
    ['a section of another project', { ...ownIds, section: otherSection }],
    ['a foreign section', { ...ownIds, section: foreignIds.section }],
    ['a foreign project', { ...ownIds, project: foreignIds.project }],
  ] as const) {
    const answers = await answersOf(inSections, async (operation) =>
      answerOf(await send(own, operation, mixed)),
    );
    t.deepEqual(answers, eachWith(inSections, notFound), what);
  }
});

/** What is answered for an id in a body or a query that names nothing of the account, where it is not 404. */
const exceptions: Record<string, Answer> = {
  'createProject body areaId': invalid('areaId'),
  'updateProject body areaId': invalid('areaId'),
  'listProjects query areaId': { status: 200 },
};

/** Each place besides the path where an operation takes the id of a resource. */
const idPlaces = operations.flatMap((operation) => [
  ...idFieldsOf(operation.body).map((field) => ({ operation, place: 'body', ...field })),
  ...idFieldsOf(operation.query).map((field) => ({ operation, place: 'query', ...field })),
]);
type IdPlace = (typeof idPlaces)[number];

/** Asks about resources of the account itself, but for the one id. */
function sendWithId(
  { operation, place, name }: IdPlace,
  id: string,
  { client, own }: { client: ApiClient; own: Ids } = { client: api, own: ids },
): Promise<ApiResponse> {
  if (place === 'query') return send(client, operation, own, { query: `?${name}=${encodeURIComponent(id)}` });
  return send(client, operation, own, { body: { ...membersWithoutIds(operation), [name]: id } });
}

function membersWithoutIds(operation: Operation): Record<string, unknown> {
  const idFields = new Set(idFieldsOf(operation.body).map(({ name }) => name));
  const members = Object.entries(bodyOf(operation, ids) ?? {});
  // `list` names a place, too, and contradicts an id.
  return Object.fromEntries(members.filter(([name]) => !idFields.has(name) && name !== 'list'));
}

for (const idPlace of idPlaces) {
  const { operation, place, name, kind } = idPlace;
  const title = `${operation.operationId} ${place} ${name}`;

  test.serial(`${title}: the account’s own ${kind} is found`, async (t) => {
    const client = await stack.newClient();
    const own = await makeIds(client);
    const answer = await sendWithId(idPlace, own[kind], { client, own });
    t.is(answer.status, operation.success.status);
  });

  test.serial(`${title}: another account’s ${kind} is answered like one that nobody has`, async (t) => {
    const foreign = await sendWithId(idPlace, foreignIds[kind]);
    const missing = await sendWithId(idPlace, missingIds()[kind]);
    t.deepEqual(answerOf(foreign), exceptions[title] ?? notFound);
    t.is(visible(foreign), visible(missing));
  });

  const others = idPlaces.filter(
    (other) => other.operation === operation && other.place === place && other.name !== name,
  );
  for (const other of others) {
    test.serial(`${title}: the same beside the account’s own ${other.kind}`, async (t) => {
      const sendBoth = (id: string) => {
        const both = { [name]: id, [other.name]: ids[other.kind] };
        if (place === 'query') return send(api, operation, ids, { query: `?${new URLSearchParams(both)}` });
        return send(api, operation, ids, { body: { ...membersWithoutIds(operation), ...both } });
      };
      const foreign = await sendBoth(foreignIds[kind]);
      t.deepEqual(answerOf(foreign), exceptions[title] ?? notFound);
      t.is(visible(foreign), visible(await sendBoth(missingIds()[kind])));
    });
  }

  test.serial(`${title}: a malformed id is refused by name`, async (t) => {
    const id = ids[kind];
    for (const text of [
      ...['xyz', '', `{${id}}`, `urn:uuid:${id}`, id.replaceAll('-', ''), id.replaceAll('-', '–')],
      ...[id.slice(0, -1), `${id}0`, id.replace(/^./, 'g'), ` ${id}`, `${id} `],
      ...[`${id}\n`, `${id}' or 1=1 --`],
    ]) {
      t.deepEqual(answerOf(await sendWithId(idPlace, text)), invalid(name), JSON.stringify(text));
    }
  });

  test.serial(`${title}: an id that names another kind of resource is as good as none`, async (t) => {
    const answer = await sendWithId(idPlace, kind === 'area' ? ids.project : ids.area);
    t.deepEqual(answerOf(answer), exceptions[title] ?? notFound);
  });
}
