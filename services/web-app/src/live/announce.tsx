import { signal } from '@preact/signals';

const spoken = signal('');
const keptMilliseconds = 5000;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Said by screen readers when they have finished what they are saying. */
export function announce(text: string): void {
  // The same text twice is a change too, and is said again.
  spoken.value = spoken.value === text ? `${text}\u00a0` : text;
  // Who reads the page later finds nothing old in it.
  clearTimeout(timer);
  timer = setTimeout(() => {
    spoken.value = '';
  }, keptMilliseconds);
}

export function LiveRegion() {
  return (
    <div class="vh" role="status">
      {spoken}
    </div>
  );
}
