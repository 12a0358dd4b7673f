import { type DefaultTreeAdapterTypes, parse, serialize } from 'parse5';

/** A parsed element. */
export type PageElement = {
  name: string;
  attributes: ReadonlyMap<string, string>;
  children: readonly PageNode[];
};

type PageNode = PageElement | string;

/** Throws for markup that the parser would change, such as unescaped text. */
export function parsePage(markup: string): PageElement {
  const document = parse(markup, {
    scriptingEnabled: false,
    onParseError({ code, startOffset, endOffset }) {
      throw new Error(`${code}: …${markup.slice(Math.max(0, startOffset - 100), endOffset + 50)}…`);
    },
  });
  const written = plainlyWritten(markup);
  const read = plainlyWritten(serialize(document, { scriptingEnabled: false }));
  if (written !== read) {
    const place = [...written].findIndex((character, index) => character !== read[index]);
    throw new Error(`not well-formed: …${written.slice(Math.max(0, place - 100), place + 50)}…`);
  }
  return { name: '', attributes: new Map(), children: childrenOf(document) };
}

/** Normalises what may be written in two ways. */
function plainlyWritten(markup: string): string {
  return markup
    .replace(/\s|=""|<!doctype html>/gi, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"');
}

function childrenOf(parent: DefaultTreeAdapterTypes.ParentNode): PageNode[] {
  return parent.childNodes.flatMap((node): PageNode[] => {
    if ('value' in node) return [node.value];
    if (!('tagName' in node)) return [];
    const attributes = new Map(node.attrs.map(({ name, value }) => [name, value]));
    return [{ name: node.tagName, attributes, children: childrenOf(node) }];
  });
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

const inlineElement = /^(a|wbr|abbr|b|bdi|code|em|i|small|span|strong|time)$/;

function rawTextOf(node: PageNode): string {
  if (typeof node === 'string') return node;
  const text = node.children.map(rawTextOf).join('');
  return inlineElement.test(node.name) ? text : ` ${text} `;
}
