/** What a browser would see of our own markup: every element that is opened is closed, attributes are quoted. */
export type PageElement = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly PageNode[];
};

type PageNode = PageElement | string;

const voidElements = new Set(['meta', 'link', 'br', 'wbr', 'hr', 'img', 'input']);
const token = /<!doctype html>|<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z][a-z-]*(?:="[^"<>]*")?)*)\s*>|[^<]+/giy;
const attribute = /([a-z][a-z-]*)(?:="([^"]*)")?/gi;

type OpenElement = PageElement & { children: PageNode[] };

/** Throws for markup that is not plainly well-formed: what is not escaped shows here. */
export function parsePage(markup: string): PageElement {
  const root: OpenElement = { name: '', attributes: new Map(), children: [] };
  const open = [root];
  let end = 0;
  for (const match of markup.matchAll(token)) {
    end += match[0].length;
    if (!place(match, open)) throw malformed(`${match[0]} closes nothing`, markup, end);
  }
  if (end !== markup.length) throw malformed('neither a tag nor text', markup, end);
  if (open.length !== 1) throw malformed(`<${open.at(-1)?.name}> is never closed`, markup, end);
  return root;
}

/** Puts a tag or text where it belongs in the innermost of the `open` elements; false for a tag that does not. */
function place([text, slash, name, attributes = '']: RegExpExecArray, open: OpenElement[]): boolean {
  const parent = open.at(-1);
  if (slash === '/') return open.pop()?.name === name;
  if (name !== undefined) {
    const element = { name, attributes: parseAttributes(attributes), children: [] };
    parent?.children.push(element);
    if (!voidElements.has(name)) open.push(element);
  } else if (!text.startsWith('<')) parent?.children.push(decodeText(text));
  return true;
}

/** The elements below `root` for which `isWanted`, in the order of the page. */
export function findElements(root: PageElement, isWanted: (element: PageElement) => boolean): PageElement[] {
  return root.children.flatMap((child) =>
    typeof child === 'string' ? [] : [...(isWanted(child) ? [child] : []), ...findElements(child, isWanted)],
  );
}

export function elementsNamed(root: PageElement, ...names: string[]): PageElement[] {
  return findElements(root, ({ name }) => names.includes(name));
}

/** The text as a reader sees it: one blank where the markup has any white space. */
export function textOf(node: PageNode): string {
  return rawTextOf(node).replace(/\s+/g, ' ').trim();
}

const inlineElements = new Set([
  'a',
  'wbr',
  'abbr',
  'b',
  'bdi',
  'code',
  'em',
  'i',
  'small',
  'span',
  'strong',
  'time',
]);

function rawTextOf(node: PageNode): string {
  if (typeof node === 'string') return node;
  const text = node.children.map(rawTextOf).join('');
  return inlineElements.has(node.name) ? text : ` ${text} `;
}

function parseAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>();
  for (const [, name = '', value = ''] of text.matchAll(attribute)) {
    if (attributes.has(name)) throw new Error(`an element has ${name} twice: ${text}`);
    attributes.set(name, decodeText(value));
  }
  return attributes;
}

const namedReferences: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: '\u00a0',
};

function decodeText(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));?/gi, (reference, decimal, hexadecimal, name) => {
    if (name === undefined) return String.fromCodePoint(Number(decimal ?? `0x${hexadecimal}`));
    const character = namedReferences[name];
    if (character === undefined || !reference.endsWith(';'))
      throw new Error(`an ampersand is not escaped: ${text.slice(0, 200)}`);
    return character;
  });
}

function malformed(what: string, markup: string, end: number): Error {
  return new Error(`${what}: …${markup.slice(Math.max(0, end - 100), end + 50)}…`);
}
