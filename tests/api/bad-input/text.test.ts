import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { answerOf, invalid } from '../matrix/problem-answer.ts';
import { makeIds, send, writeOperations } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { canary, startGuardedStack } from './guarded-stack.ts';
import { textPlacesOf } from './text-fields.ts';

const stack = await startGuardedStack(test);

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))));

for (const [what, sequence] of [
  ['a byte that never occurs', [0xff]],
  ['a continuation without a start', [0x80]],
  ['a sequence that breaks off', [0xe2, 0x82]],
  ['U+0000 in two bytes', [0xc0, 0x80]],
  ['a slash in two bytes', [0xc0, 0xaf]],
  ['a slash in three bytes', [0xe0, 0x80, 0xaf]],
  ['a surrogate in three bytes', [0xed, 0xa0, 0x80]],
  ['a surrogate pair in six bytes', [0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80]],
  ['a code point beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80]],
  ['five bytes', [0xf8, 0x88, 0x80, 0x80, 0x80]],
] as const) {
  test.serial(`${what} is no UTF-8, and refused instead of replaced`, async (t) => {
    const api = await stack.newClient();
    const before = await storedStateOf(stack, api.account);
    for (const body of [
      bytes(`{"title":"${canary} `, [...sequence], '"}'),
      bytes(`{"title":"x","${canary}`, [...sequence], '":1}'),
      bytes([...sequence], '{"title":"x"}'),
      bytes('{"title":"x"}', [...sequence]),
    ]) {
      t.deepEqual(answerOf(await api.post('/tasks', body)), invalid('body'));
    }
    t.deepEqual(await storedStateOf(stack, api.account), before);
  });
}

const unstorable = {
  'U+0000': '\u0000',
  'a first half of a surrogate pair': '\ud83d',
  'a second half of a surrogate pair': '\ude00',
  'a surrogate pair the wrong way round': '\ude00\ud83d',
};

for (const [what, text] of Object.entries(unstorable)) {
  test.serial(
    `${what} is refused in every text of every body, by the name of the member it is in`,
    async (t) => {
      const api = await stack.newClient({ plan: 'premium' });
      const ids = await makeIds(api);
      const before = await storedStateOf(stack, api.account);
      for (const operation of writeOperations) {
        for (const { field, path, bodyWith } of textPlacesOf(operation)) {
          for (const sent of [text, `${canary}${text}`, `${text}${canary}`]) {
            const answer = await send(api, operation, ids, { body: bodyWith(sent) });
            t.deepEqual(answerOf(answer), invalid(field), `${operation.operationId} ${path}`);
          }
        }
      }
      t.deepEqual(await storedStateOf(stack, api.account), before);
    },
  );

  test.serial(`${what} is refused in the name of a member, at any depth`, async (t) => {
    const api = await stack.newClient();
    const before = await storedStateOf(stack, api.account);
    for (const body of [
      { title: canary, [text]: 1 },
      { title: canary, checklist: [{ title: canary, [`x${text}`]: 1 }] },
      { title: canary, recurrence: { frequency: 'daily', [text]: 1 } },
      { title: canary, surplus: { [text]: 1 } },
    ]) {
      t.deepEqual(answerOf(await api.post('/tasks', body)), invalid('body'));
    }
    t.deepEqual(await storedStateOf(stack, api.account), before);
  });
}

test.serial('every other text is kept exactly as it was sent', async (t) => {
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

test.serial('a byte order mark before the body is passed over', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post('/tasks', `\ufeff{"title":"${canary}"}`);
  t.is(status, 201);
  t.is(body.title, canary);
});

test.serial('an escape and the character it stands for are the same text', async (t) => {
  const api = await stack.newClient();
  const { body } = await api.post('/tasks', `{"\\u0074itle":"${canary} \\ud83d\\ude00 \\u00e9"}`);
  t.is(body.title, `${canary} 😀 é`);
});
