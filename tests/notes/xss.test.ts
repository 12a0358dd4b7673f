import test from 'ava';
import { createNotesRenderer } from '#resource-api/notes/notes-renderer.ts';
import { openReadingPage } from './reading-page.ts';
import { xssPayloads } from './xss-payloads.ts';

const renderer = createNotesRenderer({ workers: 1, timeoutMilliseconds: 1_000 });
const page = await openReadingPage();
test.after.always(async () => {
  await renderer.close();
  await page.close();
});

test.serial(
  'a rendering of hostile notes runs nothing, asks no host and holds nothing that could',
  async (t) => {
    const renderings = [];
    for (const payload of xssPayloads) renderings.push(await renderer.render(payload));

    const report = await page.read(renderings);

    t.deepEqual(report, { faults: [], pwnedCalls: 0, dialogs: [], requests: [], popups: 0 });
  },
);

test.serial(
  'the page that reads the renderings notices script, requests and what is not allowed',
  async (t) => {
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
  },
);

test.serial('all but a few hostile notes are converted, not merely escaped', async (t) => {
  let escaped = 0;
  for (const payload of xssPayloads) {
    const fallback = `<p>${payload.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')}</p>`;
    if (payload.includes('<') && (await renderer.render(payload)) === fallback) escaped += 1;
  }
  t.true(escaped < xssPayloads.length / 20, `${escaped} of ${xssPayloads.length}`);
});
