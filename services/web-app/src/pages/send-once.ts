import { findAll } from './elements.ts';

const patienceMilliseconds = 10_000;

/** Ignores a second press, whose response would be an error; not for long, as the first may be lost. */
export function sendOnce(): void {
  addEventListener('submit', (event) => {
    const isSent = document.querySelector('form[data-sent]') !== null;
    if (isSent) event.preventDefault();
    if (event.defaultPrevented || !(event.target instanceof HTMLFormElement)) return;
    event.target.dataset.sent = '';
    setTimeout(allowSending, patienceMilliseconds);
  });
  addEventListener('pageshow', allowSending);
}

function allowSending(): void {
  for (const form of findAll('form[data-sent]', HTMLFormElement)) delete form.dataset.sent;
}
