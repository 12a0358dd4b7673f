import { make } from './elements.ts';

/** A place with `data-copy="#id"` gets a button that copies what the element with that id holds. */
export function addCopyButton(place: HTMLElement): void {
  const source = document.querySelector(place.dataset.copy ?? '');
  if (source === null) return;
  const button = make('button', { type: 'button', className: 'btn', textContent: 'Copy' });
  place.append(button);
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(source)) ? 'Copied' : 'Press Ctrl+C';
  });
  // Said aloud when it changes.
  button.setAttribute('aria-live', 'polite');
}

/** The clipboard is closed to pages without TLS: what is to be copied is selected then, for the keyboard. */
async function copyText(source: Element): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(source.textContent.trim());
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}
