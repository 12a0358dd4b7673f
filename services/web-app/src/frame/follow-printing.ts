import { options } from 'preact';
import { isOnPaper } from './layout.ts';

/** A long list is printed in full, too. */
export function followPrinting(signal: AbortSignal): void {
  const start = () => {
    // Firefox copies the page before a microtask could render it.
    options.debounceRendering = (render) => render();
    isOnPaper.value = true;
    delete options.debounceRendering;
  };
  const end = () => {
    isOnPaper.value = false;
  };
  window.addEventListener('beforeprint', start, { signal });
  window.addEventListener('afterprint', end, { signal });
}
