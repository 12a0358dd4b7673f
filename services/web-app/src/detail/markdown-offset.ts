/** How far ahead, in characters, a rendered word is searched in the Markdown. */
const reach = 2000;

type Point = { x: number; y: number };

/** The offset in the Markdown of the text rendered at the point, found by the words before it. */
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

/** The top of the visible part; null if all of it is visible. */
export function topInView(rendered: Element): Point | null {
  const box = rendered.getBoundingClientRect();
  const view = rendered.closest('.body, .page')?.getBoundingClientRect();
  if (view === undefined || box.bottom <= view.bottom) return null;
  // Within the first line.
  return { x: box.left, y: Math.max(box.top, view.top) + 8 };
}
