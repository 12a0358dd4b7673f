import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { createNotesRenderer } from '#resource-api/notes/notes-renderer.ts';
import { escapedParagraph } from '#resource-api/notes/plain-text.ts';
import { renderMarkdown } from '#resource-api/notes/render-markdown.ts';
import { sanitiseHtml } from '#resource-api/notes/sanitise-html.ts';
import { openReadingPage } from '#tests/notes/reading-page.ts';
import { xssPayloads } from '#tests/notes/xss-payloads.ts';
import { rereadPayloads } from './reread-payloads.ts';

const renderer = createNotesRenderer({ workers: 1, timeoutMilliseconds: 2_000, maxQueued: 2_000 });
test.after.always(() => renderer.close());

/** A turn of the event loop between samples, as there is one between renderings: jsdom frees nothing within. */
async function faultOf(notes: string): Promise<string | undefined> {
  await setImmediate();
  // What the converter or its limits refuse is shown as it was typed.
  const rendering = await renderMarkdown(notes).catch(() => escapedParagraph(notes));
  const again = sanitiseHtml(rendering);
  return again === rendering ? undefined : `${notes}\nis shown as\n${rendering}\nand read again as\n${again}`;
}

for (const [what, payloads] of Object.entries({
  'hostile notes': xssPayloads,
  'markup that is read twice': rereadPayloads,
})) {
  test(`sanitising the rendering of ${what} again changes nothing`, async (t) => {
    const faults: string[] = [];
    for (const payload of payloads) faults.push((await faultOf(payload)) ?? '');
    t.deepEqual([...new Set(faults)], ['']);
  });
}

test('a browser that reads renderings of such markup runs nothing, and reads what was written', async (t) => {
  const page = await openReadingPage();
  t.teardown(page.close);
  const report = await page.read(await Promise.all(rereadPayloads.map(renderer.render)));
  t.deepEqual(report, { faults: [], pwnedCalls: 0, dialogs: [], requests: [], popups: 0 });
});
