import test, { type ExecutionContext } from 'ava';
import {
  createNotesRenderer,
  type NotesRenderer,
  type NotesRendererOptions,
} from '#resource-api/notes/notes-renderer.ts';
import { escapedParagraph } from '#resource-api/notes/plain-text.ts';
import { endlessNotes, maxNotesLength } from './hostile-notes.ts';
import { sampleNotes } from './sample-notes.ts';

/** Longer than any of these notes needs, on a busy machine too. */
const patient = { timeoutMilliseconds: 20_000, maxWaitMilliseconds: 100_000 };

/** With one worker for long notes; closed when the test has ended. */
function startRenderer(t: ExecutionContext, options: Omit<NotesRendererOptions, 'workers'>): NotesRenderer {
  const renderer = createNotesRenderer({ workers: 1, ...options });
  t.teardown(renderer.close);
  return renderer;
}

test.serial('ordinary notes of the greatest length are rendered in full', async (t) => {
  const renderer = startRenderer(t, patient);

  const html = await renderer.render(sampleNotes(maxNotesLength));

  t.true(html.startsWith('<h1>Part 1</h1>\n<p>Some <em>ordinary</em>'));
  t.true((html.match(/<table>/g) ?? []).length > 150);
});

test.serial('notes that exhaust the memory of a worker cost nothing but their rendering', async (t) => {
  const renderer = startRenderer(t, { ...patient, memoryMegabytes: 40 });
  const notes = '<b>a</b>'.repeat(12_500);

  t.true((await renderer.render(notes)) === escapedParagraph(notes));
  t.is(await renderer.render('*next*'), '<p><em>next</em></p>');
});

test.serial('a reference repeated thousands of times does not become a page of megabytes', async (t) => {
  const renderer = startRenderer(t, { timeoutMilliseconds: 5_000 });
  const notes = `[a]: http://a.test/${'a'.repeat(2_000)}\n\n${'[a] '.repeat(1_000)}`;

  t.is(await renderer.render(notes), escapedParagraph(notes));
});

test.serial('workers that cannot start leave notes readable', async (t) => {
  const renderer = startRenderer(t, { timeoutMilliseconds: 100, memoryMegabytes: 4, maxQueued: 0 });

  t.is(await renderer.render('*a*'), '<p>*a*</p>');
  t.is(await renderer.render('*b*'), '<p>*b*</p>');
});

test.serial('short notes share one thread, unless too many wait; long ones get another', async (t) => {
  const renderer = startRenderer(t, patient);
  const threads = (): number => renderer.load().idleThreads + renderer.load().busyThreads;
  const renderShort = (count: number) =>
    Promise.all(Array.from({ length: count }, () => renderer.render('*short*')));

  await renderer.render('*first*');
  for (let round = 0; round < 20; round += 1) await renderShort(20);
  t.is(threads(), 1);

  await renderer.render(sampleNotes(3_000));
  t.is(threads(), 2);
});

test.serial('too many short notes at once start another thread', async (t) => {
  const renderer = startRenderer(t, patient);
  await renderer.render('*first*');
  while (renderer.load().idleThreads < 2)
    await Promise.all(Array.from({ length: 100 }, () => renderer.render('*short*')));
  t.is(renderer.load().idleThreads, 2);
});

test.serial('when too many notes wait, the longest is shown as it was typed', async (t) => {
  const renderer = startRenderer(t, { timeoutMilliseconds: 5_000, maxQueued: 2 });

  const renderings = await Promise.all(['*aa*', '*bbb*', '*c*'].map(renderer.render));

  t.deepEqual(renderings, ['<p><em>aa</em></p>', '<p>*bbb*</p>', '<p><em>c</em></p>']);
});

test.serial(
  'a write does not wait for its rendering without end, however little processor time that takes',
  async (t) => {
    const renderer = startRenderer(t, { timeoutMilliseconds: 60_000, maxWaitMilliseconds: 200 });
    while (renderer.load().idleThreads === 0) await renderer.render('*ready*');

    const pending = [endlessNotes, sampleNotes(maxNotesLength)];

    t.deepEqual(await Promise.all(pending.map(renderer.render)), pending.map(escapedParagraph));
    t.is(renderer.load().queued, 0);
  },
);

test.serial('closing settles what is being rendered and what waits, and renders nothing after', async (t) => {
  const renderer = createNotesRenderer({ workers: 1, timeoutMilliseconds: 60_000 });
  await renderer.render('*ready*');
  const pending = [endlessNotes, endlessNotes].map(renderer.render);

  await renderer.close();

  t.deepEqual(await Promise.all(pending), [endlessNotes, endlessNotes].map(escapedParagraph));
  t.is(await renderer.render('*late*'), '<p>*late*</p>');
});
