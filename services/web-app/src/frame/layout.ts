import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { deviceStorage } from '../store/device-storage.ts';

function matching(condition: string): ReadonlySignal<boolean> {
  const query = matchMedia(condition);
  const matches = signal(query.matches);
  query.addEventListener('change', () => {
    matches.value = query.matches;
  });
  return matches;
}

/** A phone's layout: an open task is a page, and rows have two lines. */
export const isNarrow = matching('(max-width: 719px)');
/** An open task covers its list or replaces it. */
export const isCovered = matching('(max-width: 1099px)');
/** The page is being printed. */
export const isOnPaper = signal(false);

/** Whether there are unreviewed changes by others. */
export const hasNews = signal(false);
/** Stored per device. */
export const isSideHidden = signal(deviceStorage.getItem('sidebar') === 'hidden');
effect(() => deviceStorage.setItem('sidebar', isSideHidden.value ? 'hidden' : 'shown'));
