import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const folder = path.join(import.meta.dirname, '../../test-output/screenshots');
const isAskedFor = process.env.SCREENSHOTS !== undefined;

/** Writes a screenshot of the whole page if SCREENSHOTS is set. No test reads it. */
export async function takePicture(page: Page, name: string): Promise<void> {
  if (!isAskedFor) return;
  const file = path.join(folder, `${name}.png`);
  await mkdir(path.dirname(file), { recursive: true });
  await page.screenshot({ path: file, fullPage: true });
}
