import { parentPort } from 'node:worker_threads';
import showdown from 'showdown';
import { sanitiseHtml } from './sanitise-html.ts';

/** The thread posts `id` when the rendering starts. */
export type RenderingTask = { id: number; markdown: string };

/** A reference to a long URL may be repeated thousands of times: the HTML is limited by the notes' length. */
const maxHtmlLength = (markdown: string): number => 4 * markdown.length + 16_384;

/** A bare URL; a following quotation mark or angle bracket may belong to a tag. */
const bareAddress = /(?<![a-z\d])((?:https?:\/\/|www\.)[^\s'"<>]+)(['"<>]?)/gi;

const converter = new showdown.Converter({
  tables: true,
  strikethrough: true,
  tasklists: true,
  ghCodeBlocks: true,
  simplifiedAutoLink: true,
  excludeTrailingPunctuationFromURLs: true,
  literalMidWordUnderscores: true,
  splitAdjacentBlockquotes: true,
  backslashEscapesHTMLTags: true,
  disableForced4SpacesIndentedSublists: true,
  // Line breaks are preserved.
  simpleLineBreaks: true,
  // «#errand» is text, «# Errands» is a heading.
  requireSpaceBeforeHeadingText: true,
  noHeaderId: true,
  // It would change link URLs, too.
  ellipsis: false,
  // Obfuscated addresses are random, but rendering must be deterministic.
  encodeEmails: false,
});

converter.listen('outdent.before', (_event, item) => widenNesting(item));
converter.listen('simplifiedAutoLinks.before', (_event, text) => linkBareAddresses(text));

// Warms up before the first, time-limited rendering.
convert(
  '# Notes\n\nSome *text* and a [link](https://example.com).\n\n' +
    '- [ ] task\n\n| a | b |\n|---|---|\n| 1 | 2 |',
);

/** The pool's function. Undefined if the notes crash the converter or the HTML is too long. */
export function renderNotes({ id, markdown }: RenderingTask): string | undefined {
  parentPort?.postMessage(id);
  try {
    return convert(markdown);
  } catch {
    return undefined;
  }
}

function convert(markdown: string): string {
  const html = converter.makeHtml(markdown);
  if (html.length > maxHtmlLength(markdown)) throw new RangeError('The HTML is too long.');
  return sanitiseHtml(html);
}

/**
 * showdown removes up to four blanks from each line of a list item, so lists nested by two blanks would lose
 * a level at the third. Widening to four preserves the levels.
 */
function widenNesting(item: string): string {
  const indent = /\n( +)\S/.exec(item)?.[1]?.length ?? 4;
  return indent < 4 ? item.replaceAll(/\n(?= )/g, `\n${' '.repeat(4 - indent)}`) : item;
}

/** showdown excludes only the last punctuation mark from a URL (unlike GFM §6.9). */
function linkBareAddresses(text: string): string {
  return text.replace(bareAddress, (found: string, run: string, stop: string) => {
    const address = withoutTrailingMarks(run);
    if (stop !== '' || !address.includes('.', 'www.'.length)) return found;
    // Otherwise showdown would parse emphasis in it.
    const shown = address.replace(/[*_:~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
    const scheme = /^www\./i.test(address) ? 'http://' : '';
    return `<a href="${scheme}${shown}">${shown}</a>${run.slice(address.length)}`;
  });
}

/** Trailing punctuation belongs to the sentence, as does a bracket that was not opened in the URL. */
function withoutTrailingMarks(run: string): string {
  const unopened = new Map([
    [')', count(run, ')') - count(run, '(')],
    [']', count(run, ']') - count(run, '[')],
  ]);
  for (let end = run.length; ; end--) {
    const last = run.charAt(end - 1);
    const surplus = unopened.get(last) ?? 0;
    if (surplus > 0) unopened.set(last, surplus - 1);
    else if (!'?!.,:*_~'.includes(last)) return run.slice(0, end);
  }
}

function count(text: string, mark: string): number {
  return text.split(mark).length - 1;
}
