import test from 'ava';
import type { AnySchema, SchemaFieldDescription } from 'yup';
import type { Operation } from '#shared/http/operation.ts';
import { makeTask } from '#tests/support/factories.ts';
import { answerOf, invalid } from '../matrix/problem-answer.ts';
import { makeIds, send, writeOperations } from '../matrix/request-fixtures.ts';
import { canary, startGuardedStack, testsOfRefusals } from './guarded-stack.ts';

/** A place for text in a request body: the member it is filed under and a body that holds `text` there. */
type TextPlace = { field: string; path: string; bodyWith(text: string): Record<string, unknown> };

/** Every place for text in the operation's body, nested ones included. */
function textPlacesOf({ body }: Operation): TextPlace[] {
  return Object.entries(membersOf(body?.describe())).flatMap(([field, member]) =>
    nestingsOf(member, field).map(({ path, wrap }) => ({
      field,
      path,
      bodyWith: (text) => ({ [field]: wrap(text) }),
    })),
  );
}

type Nesting = { path: string; wrap(text: string): unknown };

function nestingsOf(schema: SchemaFieldDescription, path: string): Nesting[] {
  if (schema.type === 'string') return [{ path, wrap: (text) => text }];
  if (schema.type === 'array' && 'innerType' in schema && isDescription(schema.innerType)) {
    return nestingsOf(schema.innerType, `${path}[]`).map((inner) => ({
      path: inner.path,
      wrap: (text) => [inner.wrap(text)],
    }));
  }
  return Object.entries(membersOf(schema)).flatMap(([name, member]) =>
    nestingsOf(member, `${path}.${name}`).map((inner) => ({
      path: inner.path,
      wrap: (text) => ({ [name]: inner.wrap(text) }),
    })),
  );
}

function membersOf(
  schema: SchemaFieldDescription | ReturnType<AnySchema['describe']> | undefined,
): Record<string, SchemaFieldDescription> {
  return schema?.type === 'object' && 'fields' in schema ? schema.fields : {};
}

/** A tuple has several. */
function isDescription(inner: unknown): inner is SchemaFieldDescription {
  return typeof inner === 'object' && inner !== null && !Array.isArray(inner);
}

const stack = await startGuardedStack(test);
const refusals = testsOfRefusals(test, stack);

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

const notUtf8 = {
  'a byte that never occurs': [0xff],
  'a continuation without a start': [0x80],
  'a sequence that breaks off': [0xe2, 0x82],
  'U+0000 in two bytes': [0xc0, 0x80],
  'a slash in three bytes': [0xe0, 0x80, 0xaf],
  'a surrogate in three bytes': [0xed, 0xa0, 0x80],
  'a code point beyond U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
  'five bytes': [0xf8, 0x88, 0x80, 0x80, 0x80],
};

refusals('what is no UTF-8 is refused instead of replaced', async (t, { api }) => {
  for (const [what, sequence] of Object.entries(notUtf8)) {
    for (const body of [
      bytes(`{"title":"${canary} `, sequence, '"}'),
      bytes(`{"title":"x","${canary}`, sequence, '":1}'),
      bytes(sequence, '{"title":"x"}'),
      bytes('{"title":"x"}', sequence),
    ]) {
      t.deepEqual(answerOf(await api.post('/tasks', body)), invalid('body'), what);
    }
  }
});

const unstorable = {
  'U+0000': '\u0000',
  'a first half of a surrogate pair': '\ud83d',
  'a second half of a surrogate pair': '\ude00',
  'a surrogate pair the wrong way round': '\ude00\ud83d',
};

for (const [what, text] of Object.entries(unstorable)) {
  refusals(
    `${what} is refused in every text of every body, by its member’s name`,
    async (t, { api, ids }) => {
      for (const operation of writeOperations) {
        for (const { field, path, bodyWith } of textPlacesOf(operation)) {
          const answer = await send(api, operation, ids, { body: bodyWith(`${canary}${text}`) });
          t.deepEqual(answerOf(answer), invalid(field), `${operation.operationId} ${path}`);
        }
      }
      for (const title of [text, `${text}${canary}`])
        t.deepEqual(answerOf(await api.post('/tasks', { title })), invalid('title'));
    },
  );

  refusals(`${what} is refused in the name of a member, at any depth`, async (t, { api }) => {
    for (const body of [
      { title: canary, [text]: 1 },
      { title: canary, checklist: [{ title: canary, [`x${text}`]: 1 }] },
      { title: canary, recurrence: { frequency: 'daily', [text]: 1 } },
      { title: canary, surplus: { [text]: 1 } },
    ]) {
      t.deepEqual(answerOf(await api.post('/tasks', body)), invalid('body'));
    }
  });
}

test.serial('every other text is stored exactly as sent', async (t) => {
  const api = await stack.newClient();
  for (const text of [
    'e\u0301 and \u00e9 are two spellings',
    '👩‍👩‍👧‍👦 and 🇩🇪',
    '\u0001\u001f\u007f\u0085 controls',
    '\u2028\u2029 line separators',
    '\ufeff a mark \ufeff',
    '\uffff\ufffe\u{10ffff} no characters',
    '\ufffd what replaces others',
    '\u202eright to left',
    '  blanks around  ',
    'a\r\nb\nc\td',
    '\u200b',
    'ﬁ ſ İ ß',
    `"\\/'\`$\{x} %00 &amp; <b>`,
    '{{ x }} ; drop table task; --',
  ]) {
    const sent = { title: `${canary}${text}`, description: text, checklist: [{ title: text }] };
    const made = await makeTask(api, sent);
    const { body } = await api.get(`/tasks/${made.id}`);
    t.like(body, { title: sent.title, description: text });
    t.like(made, { title: sent.title, description: text });
    t.is(made.checklist[0]?.title, text);
  }
});

test.serial('a byte order mark before the body is ignored', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post('/tasks', `\ufeff{"title":"${canary}"}`);
  t.is(status, 201);
  t.is(body.title, canary);
});

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
    const places = limitedPlaces.filter(
      ({ operation }) => what === 'an emoji' || operation.operationId === 'createTask',
    );
    for (const { operation, place, limit } of places) {
      const sendText = (length: number) =>
        send(api, operation, ids, {
          body: { ...alsoNeeded(operation), ...place.bodyWith(character.repeat(length)) },
        });
      const name = `${operation.operationId} ${place.path}`;
      t.deepEqual(answerOf(await sendText(limit + 1)), invalid(place.field), name);
      t.is((await sendText(limit)).status, operation.success.status, name);
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

refusals('a blank title is refused whatever blanks it is made of', async (t, { api, ids }) => {
  const blanks = ['', ' ', '\t\n\v\f\r', '\u0085', '\u00a0', '\u1680', '\u2003', '\u2028\u2029', '\u3000'];
  for (const blank of blanks)
    t.deepEqual(
      answerOf(await api.post('/tasks', { title: blank })),
      invalid('title'),
      JSON.stringify(blank),
    );
  for (const { operation, place } of limitedPlaces.filter((each) => each.place.path.endsWith('title'))) {
    const body = { ...alsoNeeded(operation), ...place.bodyWith(blanks.join('')) };
    const answer = answerOf(await send(api, operation, ids, { body }));
    t.deepEqual(answer, invalid(place.field), operation.operationId);
  }
});
