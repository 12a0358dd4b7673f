import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { location } from '../router.ts';

/** What scrolls: a new screen begins at its top; one that the browser returns to, where it was left. */
export function useScrollPlaces(screen: string): RefObject<HTMLDivElement | null> {
  const page = useRef<HTMLDivElement>(null);
  const places = useRef(new Map<string, number>());
  const { isReturn } = location.value;
  useLayoutEffect(() => {
    const element = page.current;
    if (element === null) return;
    const place = isReturn ? (places.current.get(screen) ?? 0) : 0;
    element.scrollTop = place;
    // A long list gets its height later.
    const growth = new ResizeObserver(() => {
      if (element.scrollHeight - element.clientHeight < place) return;
      element.scrollTop = place;
      growth.disconnect();
    });
    if (place > 0 && element.firstElementChild !== null) growth.observe(element.firstElementChild);
    const note = () => void places.current.set(screen, element.scrollTop);
    element.addEventListener('scroll', note, { passive: true });
    return () => {
      growth.disconnect();
      element.removeEventListener('scroll', note);
    };
  }, [screen]);
  return page;
}
