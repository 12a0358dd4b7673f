import { type ReadonlySignal, signal } from '@preact/signals';

const query = matchMedia('(max-width: 719px)');
const narrow = signal(query.matches);
query.addEventListener('change', () => {
  narrow.value = query.matches;
});

/** A phone's layout: an open task is a page, and rows have two lines. */
export const isNarrow: ReadonlySignal<boolean> = narrow;
