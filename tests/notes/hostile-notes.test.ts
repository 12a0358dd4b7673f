import process from 'node:process';
import test from 'ava';
import { createNotesRenderer } from '#resource-api/notes/notes-renderer.ts';
import { escapedParagraph } from '#resource-api/notes/plain-text.ts';
import { endlessNotes, fillNotes, hostileNotes, slowPatterns } from './hostile-notes.ts';

const renderer = createNotesRenderer({ workers: 2, timeoutMilliseconds: 300 });
test.before(() => renderer.render('*ready*'));
test.after.always(() => renderer.close());

/** Processor time of this thread alone: what the renderings leave of it does not depend on other processes. */
function threadMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** The longest this thread works without turning to anything else, give or take a few milliseconds. */
function watchTurns(): { longest(): number } {
  let before = threadMilliseconds();
  let longest = 0;
  const timer = setInterval(() => {
    const now = threadMilliseconds();
    longest = Math.max(longest, now - before);
    before = now;
  }, 5);
  return {
    longest() {
      clearInterval(timer);
      return longest;
    },
  };
}

test.serial(
  'twenty hostile notes at once, of the greatest length, leave the service free to answer',
  async (t) => {
    const turns = watchTurns();
    const before = threadMilliseconds();

    for (let start = 0; start < hostileNotes.length; start += 20) {
      const renderings = await Promise.all(hostileNotes.slice(start, start + 20).map(renderer.render));
      t.true(renderings.every((html) => html.length <= 1_000_000));
    }

    const spent = (threadMilliseconds() - before) / hostileNotes.length;
    t.true(turns.longest() < 100, `one turn took ${turns.longest()} ms`);
    t.true(spent < 25, `a rendering took ${spent} ms of this thread`);
  },
);

test.serial('notes the converter is slow at are shown as they were typed', async (t) => {
  for (const pattern of slowPatterns) {
    const notes = fillNotes(pattern);
    t.is(await renderer.render(notes), escapedParagraph(notes), pattern);
  }
});

test.serial('notes nobody foresaw to be slow are given up when their time is used', async (t) => {
  t.is(await renderer.render(endlessNotes), escapedParagraph(endlessNotes));
  t.is(await renderer.render('*next*'), '<p><em>next</em></p>');
});

test.serial('a short note is not kept waiting by long ones that were there before it', async (t) => {
  let isShortDone = false;
  const long = [1, 2, 3].map(async () => {
    await renderer.render(endlessNotes);
    return isShortDone;
  });
  const short = renderer.render('*short*').then((html) => {
    isShortDone = true;
    return html;
  });

  t.deepEqual(await Promise.all(long), [true, true, true]);
  t.is(await short, '<p><em>short</em></p>');
});
