import { fileURLToPath } from 'node:url';
import { launchChromium } from '#tests/support/chromium.ts';

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

export async function openReadingPage(): Promise<ReadingPage> {
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
