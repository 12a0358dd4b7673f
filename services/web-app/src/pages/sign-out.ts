import { countUnsent } from '../store/indexed-disk.ts';
import { findOne, make, makeLink } from './elements.ts';

const signOuts = new BroadcastChannel('sign-outs');

/** Signing out in one window signs out all. Without a response of the service nothing happens. */
export function signOutEverywhere(form: HTMLFormElement): void {
  const note = make('p', { className: 'warning', role: 'alert' });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    note.textContent = 'Signing out…';
    findOne('h1', HTMLElement).after(note);
    const probe = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(8_000) } as const;
    const isAnswered = await fetch(form.action, probe).then(
      () => true,
      () => false,
    );
    if (!isAnswered) {
      note.textContent =
        'Signing out needs a connection, and the service does not answer: ' +
        'you are still signed in, and your tasks are still on this device.';
      return;
    }
    const unsent = await countUnsent().catch(() => 0);
    const question =
      `Changes of the app that this device has not sent yet: ${unsent}. ` +
      'Opening the app sends them, signing out deletes them. Sign out?';
    if (unsent > 0 && !confirm(question)) return note.remove();
    signOuts.postMessage(undefined);
    form.submit();
  });
}

/** Hides the account's data after a sign-out in another window. */
export function followSignOut(): void {
  signOuts.addEventListener('message', () => {
    const textContent = 'You have signed out in another window.';
    const done = make('p', { className: 'notice', role: 'status', textContent });
    const again = makeLink(location.pathname, 'Load this page again');
    for (const part of document.querySelectorAll('.user, .tabs')) part.remove();
    findOne('main', HTMLElement).replaceChildren(done, again);
  });
}
