import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import {
  createNotesRenderer,
  escapedParagraph,
  type NotesRendererOptions,
  notesRendererVersion,
  pendingVersion,
  type Rendering,
} from '#resource-api/notes/notes-renderer.ts';
import { renderNotes } from '#resource-api/notes/render-worker.ts';
import { xssPayloads } from './xss-payloads.ts';

/** The most the API accepts. */
const maxNotesLength = 100_000;

/** A pattern repeated up to the greatest length. */
const fillNotes = (pattern: string): string =>
  pattern.repeat(Math.ceil(maxNotesLength / pattern.length)).slice(0, maxNotesLength);

/** The converter needs minutes for them. */
const endlessNotes = fillNotes('`');

/** Notes as a diligent writer would fill them, with everything Markdown has, up to a length. */
function sampleNotes(length: number): string {
  let notes = '';
  for (let number = 1; notes.length < length; number++) notes += section(number);
  return notes.slice(0, length);
}

function section(number: number): string {
  const links = `[link](https://a.test/${number} "title") to https://b.test/?q=${number}`;
  return `# Part ${number}

Some *ordinary* words with **weight**, \`code\` and a ${links}.
A second line to bob@a.test, with a snake_case_word and ~~an error~~.

- one thing
- another
  - within it
- [ ] open
- [x] done

1. first
2. second

| a | b |
|---|--:|
| 1 | **2** |

> quoted words
> and more of them

\`\`\`ts
const numbers: Map<string, number[]> = [1, 2].map((value) => value < ${number});
\`\`\`

`;
}

/** Longer than any of these notes needs, on a busy machine too. */
const patient = { timeoutMilliseconds: 60_000, maxWaitMilliseconds: 200_000 };

/** With one thread for long notes; closed when the test has ended. */
function startRenderer(t: ExecutionContext, options: Omit<NotesRendererOptions, 'workers'>) {
  const renderer = createNotesRenderer({ workers: 1, maxWaitMilliseconds: 200_000, ...options });
  t.teardown(renderer.close);
  return renderer;
}

/** For the tests that set no limits of their own. */
const patientRenderer = createNotesRenderer({ workers: 1, ...patient });
test.after.always(() => patientRenderer.close());

/** Version 0: `notes render` will render them again. */
const asPlainText = (notes: string): Rendering => ({ html: escapedParagraph(notes), version: 0 });
/** The service will render them again by itself. */
const asPending = (notes: string): Rendering => ({ ...asPlainText(notes), version: pendingVersion });
const rendered = (html: string): Rendering => ({ html, version: notesRendererVersion });

test('plain text is escaped and keeps its lines', (t) => {
  t.is(escapedParagraph('<b>&amp;"*a*"\r\nb\nc'), '<p>&lt;b&gt;&amp;amp;"*a*"<br>\nb<br>\nc</p>');
});

test.serial('no notes have an empty rendering', async (t) => {
  for (const none of [null, undefined, ''])
    t.deepEqual(await patientRenderer.render('a', none), rendered(''));
});

test.serial('ordinary notes of the greatest length are rendered in full', async (t) => {
  const { html, version } = await patientRenderer.render('a', sampleNotes(maxNotesLength));

  t.is(version, notesRendererVersion);
  t.true(html.startsWith('<h1>Part 1</h1>\n<p>Some <em>ordinary</em>'));
  t.true((html.match(/<table>/g) ?? []).length > 150);
});

test.serial('notes that are slow to convert are shown as plain text; the next are rendered', async (t) => {
  const renderer = startRenderer(t, { timeoutMilliseconds: 500 });
  const notes = fillNotes('[');
  t.deepEqual(await renderer.render('a', notes), asPending(notes));
  t.deepEqual(await renderer.renderAgain('a', notes), asPlainText(notes));
  t.deepEqual(await renderer.render('a', '*next*'), rendered('<p><em>next</em></p>'));
});

test.serial('notes that exhaust the memory of a thread cost only their own rendering', async (t) => {
  const renderer = startRenderer(t, { ...patient, memoryMegabytes: 80 });
  const notes = '<b>a</b>'.repeat(12_500);

  t.deepEqual(await renderer.render('a', notes), asPlainText(notes));
  t.deepEqual(await renderer.render('a', '*next*'), rendered('<p><em>next</em></p>'));
});

test.serial('HTML has at most four times the length of its notes and 16 kB', async (t) => {
  const link = `[a]: http://a.test/b\n\n${'[a] '.repeat(100)}`;
  t.is((await patientRenderer.render('a', link)).version, notesRendererVersion);
  const notes = `[a]: http://a.test/${'a'.repeat(2_000)}\n\n${'[a] '.repeat(1_000)}`;

  t.deepEqual(await patientRenderer.render('a', notes), asPlainText(notes));
});

test.serial('notes that crash the converter are shown as plain text', async (t) => {
  t.deepEqual(await patientRenderer.render('a', '*b* [constructor]'), asPlainText('*b* [constructor]'));
});

test.serial('hostile notes of one account delay neither short nor long notes of another', async (t) => {
  const renderer = startRenderer(t, { timeoutMilliseconds: 500 });
  let done = 0;
  const hostile = Array.from({ length: 4 }, () =>
    renderer.render('hostile', endlessNotes).finally(() => {
      done += 1;
    }),
  );

  for (const notes of ['*short*', sampleNotes(3_000)]) {
    await renderer.render('other', notes);
    // Each may wait for the one that is being rendered.
    t.true(done < hostile.length, 'all hostile notes came first');
  }
  t.deepEqual(await Promise.all(hostile), Array(4).fill(asPending(endlessNotes)));
});

test.serial('notes of one account that end their thread never leave the others without one', async (t) => {
  // A thread takes longer to start: its note is rendered after the next of these notes has ended.
  const renderer = startRenderer(t, { timeoutMilliseconds: 50 });
  await Promise.all(['a', 'b'].map((account) => renderer.render(account, '*short*')));
  const notes = Array(6).fill(endlessNotes);
  let ended = 0;
  const endedMeanwhile = notes.map(async (markdown) => {
    t.deepEqual(await renderer.render('hostile', markdown), asPending(markdown));
    const before = ++ended;
    await renderer.render('other', '*short*');
    return ended - before;
  });
  t.deepEqual(await Promise.all(endedMeanwhile), Array(notes.length).fill(0));
});

test.serial('notes whose account has waited almost too long are rendered, not ended', async (t) => {
  const renderer = startRenderer(t, { timeoutMilliseconds: 60_000, maxWaitMilliseconds: 700 });
  await Promise.all(['a', 'b'].map((account) => renderer.render(account, '*short*')));
  const long = sampleNotes(maxNotesLength);
  const renderings = await Promise.all(Array.from({ length: 20 }, () => renderer.render('a', long)));
  const versions = new Set(renderings.map(({ version }) => version));
  t.deepEqual(versions, new Set([notesRendererVersion, pendingVersion]));
});

test.serial('a write does not wait for its rendering without end', async (t) => {
  const renderer = startRenderer(t, { timeoutMilliseconds: 1_000, maxWaitMilliseconds: 200 });
  const pending = [endlessNotes, sampleNotes(maxNotesLength)];

  const renderings = await Promise.all(pending.map((notes) => renderer.render('a', notes)));

  t.deepEqual(renderings, pending.map(asPending));
  t.is(renderer.load().queued, 0);
});

test.serial('closing settles what is being rendered and what waits, and renders nothing after', async (t) => {
  const renderer = startRenderer(t, patient);
  const pending = ['a', 'a', 'b'].map((account) => renderer.render(account, endlessNotes));

  await renderer.close();

  t.deepEqual(await Promise.all(pending), Array(3).fill(asPending(endlessNotes)));
  t.deepEqual(await renderer.render('a', '*late*'), asPending('*late*'));
});

const goldenFile = new URL('./renderings.golden.json', import.meta.url);

/*
 * `notes render` finds stored renderings by their version. When packages or our own code change the HTML of
 * these notes, raise `notesRendererVersion` and accept the new HTML: UPDATE_GOLDEN=1 npm test --
 * tests/notes/limits.exhaustive.test.ts
 */
test('the same notes become other HTML only with another version of the renderer', (t) => {
  const notes = [...Array.from({ length: 40 }, (_, index) => sampleNotes(100 * index)), ...xssPayloads];
  const renderings = notes.map((markdown) => renderNotes({ id: 0, markdown }));
  const rendered = { version: notesRendererVersion, sha256: hash('sha256', JSON.stringify(renderings)) };
  const read = (): typeof rendered => JSON.parse(readFileSync(goldenFile, 'utf8'));
  const accepts = process.env.UPDATE_GOLDEN === '1' && read().version !== notesRendererVersion;
  if (accepts) writeFileSync(goldenFile, `${JSON.stringify(rendered)}\n`);
  t.deepEqual(rendered, read());
});
