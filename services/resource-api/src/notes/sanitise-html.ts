import { setImmediate } from 'node:timers/promises';
import { addHook, type Config, sanitize } from 'isomorphic-dompurify';
import { linkRelation } from './simple-html.ts';

/** The part of the DOM the hooks touch. */
type DomNode = {
  nodeName: string;
  textContent: string | null;
  ownerDocument: { createTextNode(text: string): unknown; createElement(name: string): DomNode };
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  hasAttribute?(name: string): boolean;
  removeAttribute(name: string): void;
  closest(selector: string): unknown;
  after(node: unknown): void;
  remove(): void;
};

const tags =
  'a b blockquote br code dd del details dl dt em h1 h2 h3 h4 h5 h6 hr i input ins kbd li mark ol p pre q s ' +
  'samp small strong sub summary sup table tbody td tfoot th thead tr u ul var';
const textAttributes = ['align', 'checked', 'disabled', 'start', 'title', 'type'];

const config: Config = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: ['href', ...textAttributes],
  // Everything else is held against the expression below, which no plain word matches.
  ADD_URI_SAFE_ATTR: textAttributes,
  // Without both slashes a browser may read a path of the page's own host (URL Standard, special relative state).
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

const maxPasses = 4;

addHook('uponSanitizeElement', (node: DomNode) => {
  if (node.nodeName === 'IMG') showAsLink(node);
  if (node.nodeName === 'INPUT' && node.getAttribute('type') !== 'checkbox') node.remove();
  // An element keeps what it was created to be, attribute or no attribute.
  if (node.hasAttribute?.('is')) node.remove();
});
addHook('beforeSanitizeAttributes', (node: DomNode) => {
  if (node.nodeName === 'TD' || node.nodeName === 'TH') keepAlignment(node);
});
addHook('afterSanitizeAttributes', (node: DomNode) => {
  if (node.nodeName === 'INPUT') node.setAttribute('disabled', '');
  if (node.nodeName === 'A') guardLink(node);
});

/** Reduces HTML to the subset notes may show. */
export function sanitiseHtml(html: string): string {
  return sanitize(html, config);
}

/**
 * As `sanitiseHtml`, and sanitising the result again changes nothing: a parser that reads it builds the
 * very tree that was vetted. Raw HTML does not always get there at once, because a tree may hold what no
 * parser would build (a paragraph in a paragraph, once the element between them is taken out).
 *
 * Rejects if a few passes do not get there.
 */
export async function sanitiseHtmlToFixedPoint(html: string): Promise<string> {
  let cleaned = sanitiseHtml(html);
  for (let pass = 1; pass < maxPasses; pass++) {
    // jsdom holds every node until the turn of the event loop ends: passes in one turn would add up.
    await setImmediate();
    const again = reread(cleaned);
    if (again === cleaned) return cleaned;
    cleaned = sanitiseHtml(again);
  }
  throw new Error(`The HTML still changes after ${maxPasses} passes.`);
}

/**
 * What the parser of a page makes of HTML, written out again. The sanitiser's own reads a document without a
 * doctype, in which a table may stand in a paragraph.
 */
function reread(html: string): string {
  const body = sanitize('', { RETURN_DOM: true });
  body.innerHTML = html;
  return body.innerHTML;
}

/**
 * An image would make the reader's browser ask a host of the writer's choice, so it becomes a link.
 * The sanitiser takes the image out by itself and vets what is put behind it like anything else.
 */
function showAsLink(image: DomNode): void {
  const source = image.getAttribute('src') ?? '';
  const label = image.getAttribute('alt') || source;
  const replacement = image.closest('a') ? undefined : image.ownerDocument.createElement('a');
  replacement?.setAttribute('href', source);
  if (replacement) replacement.textContent = label;
  image.after(replacement ?? image.ownerDocument.createTextNode(label));
}

/** showdown aligns table cells by style, and no style is let through. */
function keepAlignment(cell: DomNode): void {
  const [, alignment] = /^text-align:(left|center|right);$/.exec(cell.getAttribute('style') ?? '') ?? [];
  if (alignment !== undefined) cell.setAttribute('align', alignment);
}

/** A browser may still follow what is no address at all, to somewhere else. */
function guardLink(link: DomNode): void {
  const address = link.getAttribute('href');
  if (address === null) return;
  if (URL.canParse(address)) link.setAttribute('rel', linkRelation);
  else link.removeAttribute('href');
}
