import type { RefObject } from 'preact';
import { useLayoutEffect, useState } from 'preact/hooks';
import type { RowOffsets } from './row-offsets.ts';

/** Lines rendered beyond the edge of the view. */
const spare = 10;

/** The range of rendered lines, `to` exclusive. Empty without offsets. */
export function useScrollWindow(box: RefObject<HTMLElement | null>, offsets: RowOffsets | null) {
  const [range, setRange] = useState({ from: 0, to: 2 * spare });
  useLayoutEffect(() => {
    const page = box.current?.closest('.page');
    if (offsets === null || page == null) return;
    const look = () => {
      const above = page.getBoundingClientRect().top - (box.current?.getBoundingClientRect().top ?? 0);
      const from = Math.max(0, offsets.indexAt(Math.max(0, above)) - spare);
      const to = offsets.indexAt(Math.max(0, above + page.clientHeight)) + 1 + spare;
      setRange((before) => (before.from === from && before.to === to ? before : { from, to }));
    };
    look();
    page.addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      page.removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [offsets]);
  return range;
}
