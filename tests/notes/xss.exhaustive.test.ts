import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { renderNotes } from '#resource-api/notes/render-worker.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { xssPayloads } from './xss-payloads.ts';

type ReadingReport = {
  faults: { fault: string; html: string }[];
  pwnedCalls: number;
  dialogs: string[];
  requests: string[];
  popups: number;
};

/** A page in a real browser that shows renderings, pokes at them and reports what happened. */
type ReadingPage = {
  read(renderings: readonly string[]): Promise<ReadingReport>;
  close(): Promise<void>;
};

const address = 'http://notes.test/';
const batchSize = 25;

async function openReadingPage(): Promise<ReadingPage> {
  const browser = await launchChromium();
  const context = await browser.newContext();
  await context.addInitScript({ path: fileURLToPath(new URL('./inspect-renderings.js', import.meta.url)) });

  return {
    async read(renderings) {
      const page = await context.newPage();
      const report: ReadingReport = { faults: [], pwnedCalls: 0, dialogs: [], requests: [], popups: 0 };
      await page.route('**/*', (route) => {
        if (route.request().url() === address) {
          return route.fulfill({ contentType: 'text/html', body: '<!doctype html><body></body>' });
        }
        report.requests.push(route.request().url());
        return route.abort();
      });
      page.on('dialog', (dialog) => {
        report.dialogs.push(dialog.message());
        void dialog.dismiss();
      });
      page.on('popup', () => {
        report.popups += 1;
      });
      await page.goto(address);
      for (let start = 0; start < renderings.length; start += batchSize) {
        const batch = JSON.stringify(renderings.slice(start, start + batchSize));
        report.faults.push(...(await page.evaluate<ReadingReport['faults']>(`inspectRenderings(${batch})`)));
      }
      report.pwnedCalls = await page.evaluate<number>('pwnedCalls');
      await page.close();
      return report;
    },
    close: () => browser.close(),
  };
}

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
