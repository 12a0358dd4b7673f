import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { cursor, moveCursor } from './list-state.ts';

/** A row that goes or moves in the page loses the focus: the row at the cursor takes it, else the heading. */
export function useRowFocus(box: RefObject<HTMLElement | null>, rows: readonly { id: string }[]): void {
  const hadFocus = useRef(false);
  const previous = useRef(rows);
  const place = useRef(0);
  useEffect(() => {
    const listen = (event: FocusEvent) => {
      hadFocus.current = event.target instanceof Node && box.current?.contains(event.target) === true;
    };
    document.addEventListener('focusin', listen);
    return () => document.removeEventListener('focusin', listen);
  }, []);
  useLayoutEffect(() => {
    const found = rows.findIndex(({ id }) => id === cursor.value);
    const index = found === -1 ? nextPlace(previous.current.slice(place.current), rows) : found;
    previous.current = rows;
    place.current = Math.max(index, 0);
    const target = rows[index]?.id ?? null;
    if (cursor.value !== target) moveCursor(target);
    const active = document.activeElement;
    if (!hadFocus.current || (active !== null && active !== document.body)) return;
    const row =
      target === null ? null : box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(target)}"]`);
    (row ?? document.querySelector<HTMLElement>('main h1'))?.focus({ preventScroll: true });
  });
}

/** Where the first row stands that is still there; else the last place. */
function nextPlace(below: readonly { id: string }[], rows: readonly { id: string }[]): number {
  const places = new Map(rows.map(({ id }, index) => [id, index]));
  const next = below.find(({ id }) => places.has(id));
  return next === undefined ? rows.length - 1 : (places.get(next.id) ?? 0);
}
