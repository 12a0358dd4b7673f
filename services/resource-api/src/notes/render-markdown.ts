import { conversionWork } from './conversion-work.ts';
import { htmlDepth } from './html-depth.ts';
import { markdownToHtml } from './markdown-to-html.ts';
import { simpleHtml } from './simple-html.ts';

export type Sanitiser = typeof import('./sanitise-html.ts');

/** About half a second. Notes of the greatest length, dense with everything Markdown has, reach a quarter. */
const maxWork = 200_000_000;

/**
 * Ten times the longest notes. A reference to a long address may be repeated thousands of times, so that
 * 100,000 characters of Markdown can ask for 100 million of HTML, which every reader would have to fetch.
 */
const maxHtmlLength = 1_000_000;

/**
 * Deeper than anything written by hand. Taking one element out of a tree costs as much as all that is inside
 * it, and a browser flattens what is deeper than about five hundred.
 */
const maxHtmlDepth = 200;

/** Half a second of processor time and sixty megabytes, for a DOM that most notes never need. */
export const loadSanitiser = (): Promise<Sanitiser> => import('./sanitise-html.ts');

/** Markdown to sanitised HTML. Rejects for notes that ask for too much. May take minutes: see the pool. */
export async function renderMarkdown(markdown: string, load = loadSanitiser): Promise<string> {
  if (conversionWork(markdown) > maxWork) throw new RangeError('The notes would take too long to convert.');
  const html = markdownToHtml(markdown);
  if (html.length > maxHtmlLength) throw new RangeError('The HTML is longer than notes may become.');
  if (htmlDepth(html) > maxHtmlDepth) throw new RangeError('The HTML is nested too deeply.');
  return simpleHtml(html) ?? (await sanitise(html, mayHoldRawHtml(markdown), await load()));
}

async function sanitise(html: string, isRaw: boolean, sanitiser: Sanitiser): Promise<string> {
  return isRaw ? await sanitiser.sanitiseHtmlToFixedPoint(html) : sanitiser.sanitiseHtml(html);
}

/** What showdown writes by itself is a fixed point already; checking that would cost long notes a third more. */
function mayHoldRawHtml(markdown: string): boolean {
  return /<[a-z/!?]/i.test(markdown);
}
