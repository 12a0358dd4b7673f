import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import fc from 'fast-check';
import { renderMarkdown } from '#resource-api/notes/render-markdown.ts';
import { sanitiseHtml } from '#resource-api/notes/sanitise-html.ts';
import { markdownNotes, rawHtmlNotes } from './notes-grammar.ts';

/** A turn of the event loop between samples, as there is one between renderings: jsdom frees nothing within. */
async function isSettled(notes: string): Promise<boolean> {
  await setImmediate();
  const rendering = await renderMarkdown(notes);
  return sanitiseHtml(rendering) === rendering && rendering.isWellFormed();
}

test('sanitising the rendering of Markdown again changes nothing', async (t) => {
  await t.notThrowsAsync(fc.assert(fc.asyncProperty(markdownNotes, isSettled), { seed: 61, numRuns: 600 }));
});

test('sanitising the rendering of raw HTML again changes nothing', async (t) => {
  await t.notThrowsAsync(fc.assert(fc.asyncProperty(rawHtmlNotes, isSettled), { seed: 62, numRuns: 600 }));
});

test('raw HTML that takes a second look to settle gets it', async (t) => {
  const once = sanitiseHtml('<p><button><p>a</p></button></p>');
  t.not(sanitiseHtml(once), once);
  const rendering = await renderMarkdown('<p><button><p>a</p></button></p>');
  t.is(sanitiseHtml(rendering), rendering);
});
