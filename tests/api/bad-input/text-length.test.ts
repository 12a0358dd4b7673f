import test from 'ava';
import type { Operation } from '#shared/http/operation.ts';
import { answerOf, invalid } from '../matrix/problem-answer.ts';
import { makeIds, send, writeOperations } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { startGuardedStack } from './guarded-stack.ts';
import { textPlacesOf } from './text-fields.ts';

const stack = await startGuardedStack(test);

/** Of one code point each, though their JavaScript and UTF-8 lengths differ. */
const characters = { 'an ASCII letter': 'a', 'a letter': 'é', 'a CJK character': '字', 'an emoji': '😀' };
/** The specification's limits, by the last name of the place (§8). */
const limits: Record<string, number> = { title: 1_024, description: 100_000 };

const limitedPlaces = writeOperations.flatMap((operation) =>
  textPlacesOf(operation).flatMap((place) => {
    const limit = limits[place.path.split('.').at(-1) ?? ''];
    return limit === undefined ? [] : [{ operation, place, limit }];
  }),
);

/** What the operation needs besides the text in question. */
function alsoNeeded({ operationId }: Operation): Record<string, unknown> {
  return operationId.startsWith('create') ? { title: 'x' } : {};
}

test.serial('titles and notes are limited wherever they can be sent', (t) => {
  t.true(limitedPlaces.length >= 12);
  for (const path of ['title', 'description', 'checklist[].title'])
    t.true(limitedPlaces.some(({ place }) => place.path === path));
});

for (const [what, character] of Object.entries(characters)) {
  test.serial(`${what} counts as one character`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const ids = await makeIds(api);
    for (const { operation, place, limit } of limitedPlaces) {
      const sendText = (length: number) =>
        send(api, operation, ids, {
          body: { ...alsoNeeded(operation), ...place.bodyWith(character.repeat(length)) },
        });
      const name = `${operation.operationId} ${place.path}`;
      t.is((await sendText(limit)).status, operation.success.status, name);
      const before = await storedStateOf(stack, api.account);
      t.deepEqual(answerOf(await sendText(limit + 1)), invalid(place.field), name);
      t.deepEqual(await storedStateOf(stack, api.account), before);
    }
  });
}

test.serial('what looks like one character counts as the code points it is made of', async (t) => {
  const api = await stack.newClient();
  const family = '👨‍👩‍👧‍👦';
  t.is([...family].length, 7);
  const fitting = family.repeat(146);
  t.is((await api.post('/areas', { title: fitting })).body.title, fitting);
  t.deepEqual(answerOf(await api.post('/areas', { title: family.repeat(147) })), invalid('title'));
});

test.serial('a blank title is refused whatever blanks it is made of', async (t) => {
  const api = await stack.newClient();
  const ids = await makeIds(api);
  const before = await storedStateOf(stack, api.account);
  const blanks = ['', ' ', '\t\n\v\f\r', '\u0085', '\u00a0', '\u1680', '\u2003', '\u2028\u2029', '\u3000'];
  for (const { operation, place } of limitedPlaces.filter((candidate) =>
    candidate.place.path.endsWith('title'),
  )) {
    for (const blank of blanks) {
      const answer = await send(api, operation, ids, {
        body: { ...alsoNeeded(operation), ...place.bodyWith(blank) },
      });
      t.deepEqual(
        answerOf(answer),
        invalid(place.field),
        `${operation.operationId} ${JSON.stringify(blank)}`,
      );
    }
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});
