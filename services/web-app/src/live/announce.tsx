import { signal } from '@preact/signals';

const spoken = signal('');
const keptMilliseconds = 5000;

/** Said by screen readers when they have finished what they are saying. */
export function announce(text: string): void {
  // The same text twice is a change too, and is said again.
  const said = spoken.value === text ? `${text}\u00a0` : text;
  spoken.value = said;
  // Who reads the page later finds nothing old in it.
  setTimeout(() => {
    if (spoken.value === said) spoken.value = '';
  }, keptMilliseconds);
}

export function LiveRegion() {
  return (
    <div class="vh" role="status">
      {spoken}
    </div>
  );
}
