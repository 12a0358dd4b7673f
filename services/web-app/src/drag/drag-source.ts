import type { RowRef } from '../list/list-group.ts';

/** Makes an element draggable; returns what undoes it. */
type Attach = (element: HTMLElement, ref: () => RowRef) => () => void;

let attach: Attach | null = null;
const waiting = new Map<HTMLElement, () => RowRef>();
const attached = new Map<HTMLElement, () => void>();

/** Rows can be dragged once the library is there, which comes when the page is idle. */
export function makeDraggable(element: HTMLElement | null, ref: () => RowRef): (() => void) | undefined {
  if (element === null) return undefined;
  if (attach === null) waiting.set(element, ref);
  else attached.set(element, attach(element, ref));
  return () => {
    waiting.delete(element);
    attached.get(element)?.();
    attached.delete(element);
  };
}

export function enableDragging(next: Attach): void {
  attach = next;
  for (const [element, ref] of waiting) attached.set(element, next(element, ref));
  waiting.clear();
}
