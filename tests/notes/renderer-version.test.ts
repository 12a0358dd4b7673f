import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { renderMarkdown } from '#resource-api/notes/render-markdown.ts';
import { notesRendererVersion } from '#resource-api/notes/renderer-version.ts';
import { sampleNotes } from './sample-notes.ts';
import { xssPayloads } from './xss-payloads.ts';

const goldenFile = new URL('./renderings.golden.json', import.meta.url);

/*
 * What is stored is found by its version (`notes render`). When packages or our own code make other HTML of these
 * notes, raise `notesRendererVersion`, and accept what they make now:
 * UPDATE_GOLDEN=1 npm test -- tests/notes/renderer-version.test.ts
 */
test('the same notes become other HTML with another version of the renderer alone', async (t) => {
  const notes = [...Array.from({ length: 40 }, (_, index) => sampleNotes(100 * index)), ...xssPayloads];
  const renderings: (string | undefined)[] = [];
  // What showdown throws at is shown as plain text by whoever asked for the rendering.
  for (const markdown of notes) renderings.push(await renderMarkdown(markdown).catch(() => undefined));
  const rendered = { version: notesRendererVersion, sha256: hash('sha256', JSON.stringify(renderings)) };
  const read = (): typeof rendered => JSON.parse(readFileSync(goldenFile, 'utf8'));
  const accepts = process.env.UPDATE_GOLDEN === '1' && read().version !== notesRendererVersion;
  if (accepts) writeFileSync(goldenFile, `${JSON.stringify(rendered)}\n`);
  t.deepEqual(rendered, read());
});
