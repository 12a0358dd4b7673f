import { signal } from '@preact/signals';

const spoken = signal('');
const keptMilliseconds = 5000;

/** Announced politely by screen readers. */
export function announce(text: string): void {
  // Makes a repeated text a change, so that it is announced again.
  const said = spoken.value === text ? `${text}\u00a0` : text;
  spoken.value = said;
  // Removes the text, so that it is not found later.
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
