/** Of every link in notes: the page it leads to is neither told of this one nor vouched for. */
export const linkRelation = 'noopener noreferrer nofollow';

const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'];
const phrasing = ['#text', 'a', 'br', 'code', 'del', 'em', 'input', 'strong'];
const flow = [...phrasing, ...headings, 'blockquote', 'hr', 'ol', 'p', 'pre', 'table', 'ul'];

/** What each element may hold so that a parser leaves it there. Those without an end tag are not listed. */
const contents = new Map<string, readonly string[]>([
  ['#root', flow],
  ['blockquote', flow],
  ['li', flow],
  ...[...headings, 'a', 'code', 'del', 'em', 'p', 'pre', 'strong', 'td', 'th'].map(
    (name): [string, string[]] => [name, phrasing],
  ),
  ['ol', ['li']],
  ['ul', ['li']],
  ['table', ['tbody', 'thead']],
  ['tbody', ['tr']],
  ['thead', ['tr']],
  ['tr', ['td', 'th']],
]);

/** The start tags that showdown writes, and what the sanitiser makes of them. An input is kept as a checkbox only. */
const startTags: readonly (readonly [written: RegExp, kept: string])[] = [
  [/^((?!input)[a-z][a-z0-9]*)(?: \/)?$/, '$1'],
  [/^code class="[^"]*"$/, 'code'],
  [/^li class="[^"]*" style="[^"]*"$/, 'li'],
  [/^ol start="(\d+)"$/, 'ol start="$1"'],
  [/^(td|th) style="text-align:(left|center|right);"$/, '$1 align="$2"'],
  [/^input type="checkbox" disabled style="[^"]*"$/, 'input type="checkbox" disabled=""'],
  [/^input type="checkbox" disabled style="[^"]*" checked$/, 'input type="checkbox" disabled="" checked=""'],
];

/** In an attribute an ampersand before a name and «=» stands for itself (HTML §13.2.5.73). */
const link = /^a href="((?:https?:\/\/|mailto:)(?:[!#-%'-;=?-~]|&amp;|&(?=[a-z]+=))+)"$/i;
/** Whatever a parser would read, or write, in another way than it stands here. */
const unsettledText = /[<>\p{Cs}\u00a0[\p{Cc}--[\t\n]]]|&(?!(?:amp|lt|gt|nbsp);)/v;

/**
 * The HTML as the sanitiser would leave it, where that can be told without building a document: it is made of a
 * closed list of elements, nested as a parser keeps them, with no attributes but those listed here. Undefined for
 * all else, which is not to say that it is unsafe.
 */
export function simpleHtml(html: string): string | undefined {
  // A parser drops the line break that follows <pre>.
  if (/^\s|<pre>\n/.test(html)) return undefined;
  const open = ['#root'];
  let settled = '';
  for (const [index, part] of html.split(/<([^<>]*)>/).entries()) {
    const kept = index % 2 === 0 ? keepText(part, open) : keepTag(part, open);
    if (kept === undefined) return undefined;
    settled += kept;
  }
  return open.length === 1 ? settled : undefined;
}

function keepText(text: string, open: readonly string[]): string | undefined {
  const isInPlace = mayHold(open, '#text') || /^[\t\n ]*$/.test(text);
  return isInPlace && !unsettledText.test(text) ? text : undefined;
}

/** Opens or closes the element. */
function keepTag(tag: string, open: string[]): string | undefined {
  if (tag.startsWith('/')) return tag.slice(1) === open.at(-1) ? `</${open.pop()}>` : undefined;
  const kept = keepLink(tag) ?? keepStartTag(tag);
  const [name = ''] = kept?.split(' ', 1) ?? [];
  if (!mayHold(open, name) || (name === 'a' && open.includes('a'))) return undefined;
  if (contents.has(name)) open.push(name);
  return `<${kept}>`;
}

function mayHold(open: readonly string[], name: string): boolean {
  return contents.get(open.at(-1) ?? '')?.includes(name) === true;
}

function keepStartTag(tag: string): string | undefined {
  const [written, kept] = startTags.find(([pattern]) => pattern.test(tag)) ?? [];
  return written && kept && tag.replace(written, kept);
}

function keepLink(tag: string): string | undefined {
  const address = link.exec(tag)?.[1]?.replaceAll('&amp;', '&');
  if (address === undefined || !URL.canParse(address)) return undefined;
  return `a href="${address.replaceAll('&', '&amp;')}" rel="${linkRelation}"`;
}
