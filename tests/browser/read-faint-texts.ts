import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

/** Texts that are hard to tell from their background, each with its place. */
export async function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate(await readFile(new URL('./faint-texts.js', import.meta.url), 'utf8'));
}
