import { parentPort } from 'node:worker_threads';
import showdown from 'showdown';
import { sanitiseHtml } from './sanitise-html.ts';

/** The pool receives `id` as a message when the rendering begins. */
export type RenderingTask = { id: number; markdown: string };

/** A reference to a long address may be repeated thousands of times: HTML is bounded by its notes. */
const maxHtmlLength = (markdown: string): number => 4 * markdown.length + 16_384;

/** A bare address; a quotation mark or an angle bracket behind it may belong to a tag. */
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
  // A typed line break is shown as one.
  simpleLineBreaks: true,
  // «#errand» is text, «# Errands» is a heading.
  requireSpaceBeforeHeadingText: true,
  noHeaderId: true,
  // It would change addresses of links, too.
  ellipsis: false,
  // Obfuscated addresses are random, and the same notes must give the same HTML.
  encodeEmails: false,
});

converter.listen('outdent.before', (_event, item) => widenNesting(item));
converter.listen('simplifiedAutoLinks.before', (_event, text) => linkBareAddresses(text));

// Loading and compiling happens before the first notes, whose time is limited.
convert(
  '# Notes\n\nSome *text* and a [link](https://example.com).\n\n- [ ] task\n\n| a | b |\n|---|---|\n| 1 | 2 |',
);

/** The function of the pool: undefined for notes that crash the converter or become too long. */
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
 * showdown removes up to four blanks from each line of a list item, so lists nested by two blanks would lose a
 * level at the third. Widened to four, each level stays.
 */
function widenNesting(item: string): string {
  const indent = /\n( +)\S/.exec(item)?.[1]?.length ?? 4;
  return indent < 4 ? item.replaceAll(/\n(?= )/g, `\n${' '.repeat(4 - indent)}`) : item;
}

/** showdown leaves out the last mark of an address, whichever it is, and none before it (GFM §6.9 differs). */
function linkBareAddresses(text: string): string {
  return text.replace(bareAddress, (found: string, run: string, stop: string) => {
    const address = withoutTrailingMarks(run);
    if (stop !== '' || !address.includes('.', 'www.'.length)) return found;
    // Otherwise showdown would read emphasis in it.
    const shown = address.replace(/[*_:~]/g, (mark) => `&#${mark.charCodeAt(0)};`);
    const scheme = /^www\./i.test(address) ? 'http://' : '';
    return `<a href="${scheme}${shown}">${shown}</a>${run.slice(address.length)}`;
  });
}

/** Marks at the end belong to the sentence, and so does a bracket that was not opened in the address. */
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
