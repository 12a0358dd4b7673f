import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { renderNotes } from '#resource-api/notes/render-worker.ts';
import { openReadingPage } from './reading-page.ts';
import { xssPayloads } from './xss-payloads.ts';

const page = await openReadingPage();
test.after.always(() => page.close());

const renderings: string[] = [];
let refused = 0;
test.before(async () => {
  for (const markdown of xssPayloads) {
    const html = renderNotes({ id: 0, markdown });
    if (html === undefined) refused += 1;
    else renderings.push(html);
    // jsdom releases memory only between turns of the event loop.
    await setImmediate();
  }
});

test('a rendering of hostile notes runs nothing, asks no host and holds nothing that could', async (t) => {
  t.deepEqual(await page.read(renderings), {
    faults: [],
    pwnedCalls: 0,
    dialogs: [],
    requests: [],
    popups: 0,
  });
  t.true(refused < xssPayloads.length / 20, `${refused} of ${xssPayloads.length} were not converted`);
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
  const inFrameAlone = await page.read(['<script>pwned()</script>']);
  t.is(inFrameAlone.pwnedCalls, 1);
});
