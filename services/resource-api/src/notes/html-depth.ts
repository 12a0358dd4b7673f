const tag = /<(\/?)([a-z][^\s/>]*)/gi;
const emptyElements = new Set(['br', 'hr', 'img', 'input']);

/** How deep the elements of some HTML may be nested, at the most: an end tag only closes its own kind. */
export function htmlDepth(html: string): number {
  const open = new Map<string, number>();
  let depth = 0;
  let deepest = 0;
  for (const [, slash, name = ''] of html.matchAll(tag)) {
    const kind = name.toLowerCase();
    const opened = open.get(kind) ?? 0;
    if (emptyElements.has(kind) || (slash && opened === 0)) continue;
    const change = slash ? -1 : 1;
    open.set(kind, opened + change);
    depth += change;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
