import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { location } from '../router.ts';

/** Scroll positions: a new screen starts at the top; «Back» and «Forward» restore the position. */
export function useScrollPlaces(screen: string): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  const shown = useRef(screen);
  const places = useRef(new Map<string, number>());
  const { isReturn } = location.value;
  // Before the new rows, which may be too few for the position.
  if (shown.current !== screen) {
    places.current.set(shown.current, page.current?.scrollTop ?? 0);
    shown.current = screen;
  }
  useLayoutEffect(() => {
    const element = page.current;
    if (element === null) return;
    const place = isReturn ? (places.current.get(screen) ?? 0) : 0;
    element.scrollTop = place;
    if (place === 0 || element.firstElementChild === null) return;
    // A long list gets its height later.
    const growth = new ResizeObserver(() => {
      if (element.scrollHeight - element.clientHeight < place) return;
      element.scrollTop = place;
      growth.disconnect();
    });
    growth.observe(element.firstElementChild);
    return () => growth.disconnect();
  }, [screen]);
  return page;
}
