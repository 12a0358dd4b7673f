/** How many characters ahead a word of the rendered notes is looked for in their Markdown. */
const reach = 2000;

type Point = { x: number; y: number };

/** Where in the Markdown stands what is rendered at the point: the words before it are found one after another. */
export function markdownOffsetAt(rendered: Element, point: Point, markdown: string): number | null {
  const caret = caretAt(point);
  if (caret === null || !rendered.contains(caret.node)) return null;
  const before = document.createRange();
  before.selectNodeContents(rendered);
  before.setEnd(caret.node, caret.offset);
  let offset = 0;
  for (const word of before.toString().split(/\s+/)) {
    const found = markdown.slice(offset, offset + reach).indexOf(word);
    if (found !== -1) offset += found + word.length;
  }
  return offset;
}

function caretAt({ x, y }: Point): { node: Node; offset: number } | null {
  if ('caretPositionFromPoint' in document) {
    const position = document.caretPositionFromPoint(x, y);
    return position && { node: position.offsetNode, offset: position.offset };
  }
  // Safari before 26.
  const range = (document as Document).caretRangeFromPoint(x, y);
  return range && { node: range.startContainer, offset: range.startOffset };
}

/** Of what is in view at the top; null where all of it is in view. */
export function topInView(rendered: Element): Point | null {
  const box = rendered.getBoundingClientRect();
  const view = rendered.closest('.body, .page')?.getBoundingClientRect();
  if (view === undefined || box.bottom <= view.bottom) return null;
  // Within the first line.
  return { x: box.left, y: Math.max(box.top, view.top) + 8 };
}
