import { addHook, type Config, sanitize } from 'isomorphic-dompurify';

/** The part of the DOM that the hooks use. */
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
  'a b blockquote br code dd del details dl dt em h1 h2 h3 h4 h5 h6 hr i input ins kbd li mark ol p pre q ' +
  's samp small strong sub summary sup table tbody td tfoot th thead tr u ul var';
const textAttributes = ['align', 'checked', 'disabled', 'start', 'title', 'type'];

const config: Config = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: ['href', ...textAttributes],
  // Values of all other attributes must match the expression below.
  ADD_URI_SAFE_ATTR: textAttributes,
  // Without both slashes a browser may resolve it against the page's host (URL Standard, special relative
  // state).
  ALLOWED_URI_REGEXP: /^(?:https?:\/\/|mailto:)/i,
  ALLOWED_NAMESPACES: ['http://www.w3.org/1999/xhtml'],
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
};

addHook('uponSanitizeElement', (node: DomNode) => {
  if (node.nodeName === 'IMG') showAsLink(node);
  if (node.nodeName === 'INPUT' && node.getAttribute('type') !== 'checkbox') node.remove();
  // `is` has set the element's type at its creation.
  if (node.hasAttribute?.('is')) node.remove();
});
addHook('beforeSanitizeAttributes', (node: DomNode) => {
  if (node.nodeName === 'TD' || node.nodeName === 'TH') keepAlignment(node);
});
addHook('afterSanitizeAttributes', (node: DomNode) => {
  if (node.nodeName === 'INPUT') node.setAttribute('disabled', '');
  if (node.nodeName === 'A') guardLink(node);
});

/** Reduces HTML to the subset that notes may contain. */
export function sanitiseHtml(html: string): string {
  return sanitize(html, config);
}

/**
 * An image would make the reader's browser contact a host of the author's choice, so it becomes a link.
 * DOMPurify removes the image and sanitises the inserted link.
 */
function showAsLink(image: DomNode): void {
  const source = image.getAttribute('src') ?? '';
  const label = image.getAttribute('alt') || source;
  const replacement = image.closest('a') ? undefined : image.ownerDocument.createElement('a');
  replacement?.setAttribute('href', source);
  if (replacement) replacement.textContent = label;
  image.after(replacement ?? image.ownerDocument.createTextNode(label));
}

/** showdown aligns table cells by `style`, which is not allowed. */
function keepAlignment(cell: DomNode): void {
  const [, alignment] = /^text-align:(left|center|right);$/.exec(cell.getAttribute('style') ?? '') ?? [];
  if (alignment !== undefined) cell.setAttribute('align', alignment);
}

/** Browsers may resolve an invalid URL differently than its text suggests. */
function guardLink(link: DomNode): void {
  const address = link.getAttribute('href');
  if (address === null) return;
  if (URL.canParse(address)) link.setAttribute('rel', 'noopener noreferrer nofollow');
  else link.removeAttribute('href');
}
