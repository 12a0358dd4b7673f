import test from 'ava';
import fc from 'fast-check';
import { createNotesRenderer } from '#resource-api/notes/notes-renderer.ts';
import { escapedParagraph } from '#resource-api/notes/plain-text.ts';
import { markdownNotes, rawHtmlNotes } from './notes-grammar.ts';
import { openReadingPage } from './reading-page.ts';
import { xssPayloads } from './xss-payloads.ts';

const renderer = createNotesRenderer({
  workers: 1,
  timeoutMilliseconds: 2_000,
  maxQueued: 2_000,
  // All wait at once here, which those of a service do not.
  maxWaitMilliseconds: 240_000,
});
const renderings = Promise.all(xssPayloads.map(renderer.render));
const page = await openReadingPage();
test.after.always(async () => {
  await renderer.close();
  await page.close();
});

test('a rendering of hostile notes runs nothing, asks no host and holds nothing that could', async (t) => {
  const report = await page.read(await renderings);

  t.deepEqual(report, { faults: [], pwnedCalls: 0, dialogs: [], requests: [], popups: 0 });
});

test('a browser reads every rendering as it was written', async (t) => {
  const notes = [markdownNotes, rawHtmlNotes].flatMap((arbitrary) =>
    fc.sample(arbitrary, { numRuns: 200, seed: 63 }),
  );

  const report = await page.read(await Promise.all(notes.map(renderer.render)));

  t.deepEqual(report, { faults: [], pwnedCalls: 0, dialogs: [], requests: [], popups: 0 });
});

test('the page that reads the renderings notices script, requests and what is not allowed', async (t) => {
  const unsanitised = [
    '<img src=x onerror="pwned()">',
    '<svg onclick="alert(1)"></svg>',
    '<a href="javascript:pwned()">x</a>',
    '<input autofocus onfocus="pwned()">',
  ];

  const report = await page.read(unsanitised);

  const faults = report.faults.map(({ fault }) => fault);
  for (const fault of ['attribute onerror', 'element img', 'foreign svg', 'scheme javascript:', 'input']) {
    t.true(faults.includes(fault), fault);
  }
  t.true(report.pwnedCalls > 0);
  t.true(report.requests.length > 0);
  t.true(report.dialogs.length > 0);
});

test('all but a few hostile notes are converted, not merely escaped', async (t) => {
  const escaped = (await renderings).filter((html, index) => {
    const payload = xssPayloads[index] ?? '';
    return payload.includes('<') && html === escapedParagraph(payload);
  });
  t.true(escaped.length < xssPayloads.length / 20, `${escaped.length} of ${xssPayloads.length}`);
});
