import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';
import { patchTask, readTask } from './task-requests.ts';

const stack = await startStack(test);

/** Texts of code points that are one UTF-16 unit, two of them, and several that show as one character. */
const samples = {
  'Latin letters': 'abcdefghij',
  'CJK characters': '漢字仮名交文',
  emoji: '\u{1f600}\u{1f680}',
  'letters with combining marks': 'e\u0301\u0323',
  'families of emoji': '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
};

function textOf(sample: string, codePoints: number): string {
  const characters = [...sample];
  return Array.from({ length: codePoints }, (_, index) => characters[index % characters.length]).join('');
}

for (const [what, sample] of Object.entries(samples)) {
  test(`1,024 code points are the longest title, of ${what} too`, async (t) => {
    const api = await stack.newClient();
    const longest = textOf(sample, 1_024);
    const task = await makeTask(api, { title: longest, checklist: [{ title: longest }] });
    t.is((await readTask(api, task.id)).title, longest);
    t.is((await readTask(api, task.id)).checklist[0]?.title, longest);
    const tooLong = textOf(sample, 1_025);
    expectInvalid(t, await api.post('/tasks', { title: tooLong }), ['title']);
    expectInvalid(t, await api.patch(`/tasks/${task.id}`, { title: tooLong }), ['title']);
    const checklist = [{ title: tooLong }];
    expectInvalid(t, await api.post('/tasks', { title: 'Task', checklist }), ['checklist']);
    expectInvalid(t, await api.patch(`/tasks/${task.id}`, { checklist }), ['checklist']);
    t.deepEqual(await readTask(api, task.id), task);
  });

  test(`100,000 code points are the longest notes, of ${what} too`, async (t) => {
    const api = await stack.newClient();
    const longest = textOf(sample, 100_000);
    const task = await makeTask(api, { description: longest });
    t.true((await readTask(api, task.id)).description === longest, 'they read back as sent');
    const description = textOf(sample, 100_001);
    expectInvalid(t, await api.post('/tasks', { title: 'Task', description }), ['description']);
    expectInvalid(t, await api.patch(`/tasks/${task.id}`, { description }), ['description']);
    t.is((await readTask(api, task.id)).updatedAt, task.updatedAt);
  });
}

test('the longest notes are accepted in their longest JSON spelling', async (t) => {
  const api = await stack.newClient();
  const body = `{"title": "Task", "description": "${'\\ud83d\\ude00'.repeat(100_000)}"}`;
  const { status, body: task } = await api.post<Task>('/tasks', body);
  t.is(status, 201);
  t.true(task.description === '\u{1f600}'.repeat(100_000));
});

const verbatim = {
  'blanks around': '  leading and trailing \t ',
  'line breaks': 'one\r\ntwo\nthree\rfour\u2028five',
  'a byte order mark': '\ufeffmarked\ufeff',
  'text from right to left': 'מחר \u202e123\u202c להתקשר',
  emoji: '\u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u{1f3f3}\ufe0f\u200d\u{1f308} 1\ufe0f\u20e3',
  'decomposed letters': 'e\u0301 is not \u00e9',
  'control characters': 'bell \u0007 escape \u001b delete \u007f next line \u0085',
  noncharacters: '\uffff\ufffe\u{10ffff}\ufffd',
  'quotes and backslashes': `' " \` \\ \\' \\\\ \\u0041 $1 %s`,
  'placeholders of SQL': `?, ??, $1, :name, '; drop table tasks.task; --`,
  markup: '<b>&amp;</b> <script>alert(1)</script>',
};

for (const [what, text] of Object.entries(verbatim)) {
  test(`titles, notes and checklist titles keep ${what} exactly as sent`, async (t) => {
    const api = await stack.newClient();
    const fields = { title: text, description: text, checklist: [{ title: text }] };
    const { status, body } = await api.post<Task>('/tasks', fields);
    t.is(status, 201);
    for (const task of [body, await readTask(api, body.id)]) {
      t.deepEqual([task.title, task.description, task.checklist[0]?.title], [text, text, text]);
    }
    const other = await makeTask(api);
    await patchTask(api, other.id, fields);
    const task = await readTask(api, other.id);
    t.deepEqual([task.title, task.description, task.checklist[0]?.title], [text, text, text]);
  });
}

/** PropList.txt of the Unicode Character Database: every code point with the property White_Space. */
const whiteSpace =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000';

test('a title of Unicode white space alone is refused', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api);
  for (const title of ['', ...whiteSpace, whiteSpace]) {
    const what = JSON.stringify(title);
    expectInvalid(t, await api.post('/tasks', { title }), ['title'], what);
    expectInvalid(t, await api.patch(`/tasks/${id}`, { title }), ['title'], what);
    const checklist = [{ title: 'fine' }, { title }];
    expectInvalid(t, await api.post('/tasks', { title: 'Task', checklist }), ['checklist'], what);
  }
});

test('invisible characters that are no white space make a title', async (t) => {
  const api = await stack.newClient();
  for (const title of [
    '\u200b',
    '\ufeff',
    '\u2060',
    '\u180e',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u200d',
    '\u0001',
  ]) {
    const { status, body } = await api.post<Task>('/tasks', { title });
    t.like({ status, body }, { status: 201, body: { title } }, JSON.stringify(title));
  }
});

for (const [what, malformed] of [
  ['U+0000', 'a\\u0000b'],
  ['a high surrogate alone', 'a\\ud800b'],
  ['a low surrogate alone', '\\udc00'],
  ['surrogates in the wrong order', '\\udc00\\ud800'],
] as const) {
  test(`text with ${what} is refused under the field that holds it`, async (t) => {
    const api = await stack.newClient();
    const task = await makeTask(api);
    for (const [field, fault] of [
      ['title', `"title": "${malformed}"`],
      ['description', `"description": "${malformed}"`],
      ['checklist', `"checklist": [{"title": "${malformed}"}]`],
    ] as const) {
      const others = field === 'title' ? '' : '"title": "Task", ';
      expectInvalid(t, await api.post('/tasks', `{${others}${fault}}`), [field]);
      expectInvalid(t, await api.patch(`/tasks/${task.id}`, `{${fault}}`), [field]);
    }
    t.deepEqual(await readTask(api, task.id), task);
  });
}

test('bytes that are no UTF-8 are refused, and nothing is put in their place', async (t) => {
  const api = await stack.newClient();
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80]]) {
    const body = Buffer.concat([Buffer.from('{"title": "a'), Buffer.from(bytes), Buffer.from('"}')]);
    expectInvalid(t, await api.post('/tasks', body), ['body'], JSON.stringify(bytes));
  }
});

for (const [what, title] of [
  ['a number', 7],
  ['true', true],
  ['an array', ['Task']],
  ['an object', { text: 'Task' }],
] as const) {
  test(`text that is ${what} is refused, not converted`, async (t) => {
    const api = await stack.newClient();
    const sent = { title, description: title, checklist: [{ title }] };
    expectInvalid(t, await api.post('/tasks', sent), ['title', 'description', 'checklist']);
  });
}

for (const empty of ['', null]) {
  test(`notes sent as ${JSON.stringify(empty)} read back as null, and their rendering as empty`, async (t) => {
    const api = await stack.newClient();
    const task = await makeTask(api, { description: empty });
    t.like(await readTask(api, task.id), { description: null, descriptionHtml: '' });
    t.deepEqual(await patchTask(api, task.id, { description: empty }), task);
    await patchTask(api, task.id, { description: 'Not empty' });
    await patchTask(api, task.id, { description: empty });
    t.like(await readTask(api, task.id), { description: null, descriptionHtml: '' });
  });
}

test('notes of blanks are notes', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { description: ' \n ' });
  t.is((await readTask(api, task.id)).description, ' \n ');
});

test('notes keep every byte of their Markdown, and their rendering follows them', async (t) => {
  const api = await stack.newClient();
  const description = '# Plan\r\n\r\n*one*  \r\n\ttwo <b>&nbsp;</b>\n\n\n- [ ] three\n';
  const task = await makeTask(api, { description });
  t.is(task.description, description);
  t.true(task.descriptionHtml.includes('Plan'));
  const patched = await patchTask(api, task.id, { description: 'Another thing' });
  t.true(patched.descriptionHtml.includes('Another thing'));
  t.false(patched.descriptionHtml.includes('Plan'));
  t.deepEqual(await readTask(api, task.id), patched);
});
