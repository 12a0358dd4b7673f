import { hash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { notesRendererVersion } from '#resource-api/notes/notes-renderer.ts';
import { renderNotes } from '#resource-api/notes/render-worker.ts';
import { sampleNotes } from './sample-notes.ts';
import { xssPayloads } from './xss-payloads.ts';

const goldenFile = new URL('./renderings.golden.json', import.meta.url);

/*
 * `notes render` finds stored renderings by their version. When packages or our own code change the HTML of these
 * notes, raise `notesRendererVersion` and accept the new HTML:
 * UPDATE_GOLDEN=1 npm test -- tests/notes/renderer-version.exhaustive.test.ts
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
