import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { holdKeys } from '../keys/key-events.ts';
import { announce } from '../live/announce.tsx';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';
import { listWords } from '../words/list-words.ts';
import type { RowRef } from './list-group.ts';
import { cursor, rowElement } from './list-state.ts';

/** Removing or moving a focused row blurs it: focuses the row at the cursor, or the heading. */
export function useRowFocus(box: RefObject<HTMLElement | null>, rows: readonly RowRef[]): void {
  const store = useStore();
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
    const gone = previous.current[place.current];
    const index = found === -1 ? nextPlace(previous.current.slice(place.current), rows) : found;
    previous.current = rows;
    place.current = Math.max(index, 0);
    const target = rows[index]?.id ?? null;
    cursor.value = target;
    const active = document.activeElement;
    if (!hadFocus.current || (active !== null && active !== document.body)) return;
    if (found === -1 && gone !== undefined) sayGone(store, gone);
    (rowElement(box.current, target) ?? document.querySelector<HTMLElement>('main h1'))?.focus({
      preventScroll: true,
    });
  });
}

/** Others removed the row: the next key was meant for it. */
function sayGone(store: Store, gone: RowRef): void {
  const isOwn = store.waiting.peek().has(`${gone.entity}:${gone.id}`);
  if (isOwn || store.actors.of(gone.entity, gone.id) === null) return;
  holdKeys();
  announce(listWords.left(store.rows.table(gone.entity).find(gone.id)?.title ?? ''));
}

/** The index of the first remaining row, otherwise the last index; 0 for a list that was empty. */
function nextPlace(below: readonly { id: string }[], rows: readonly { id: string }[]): number {
  if (below.length === 0) return 0;
  const places = new Map(rows.map(({ id }, index) => [id, index]));
  const next = below.find(({ id }) => places.has(id));
  return next === undefined ? rows.length - 1 : (places.get(next.id) ?? 0);
}
