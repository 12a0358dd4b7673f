/** What script adds to the pages of auth-server, which work without it. */
import { armAfterAttention, sayWhenAnswered } from './consent.ts';
import { addCopyButton } from './copy-button.ts';
import { findAll } from './elements.ts';
import { addPasskeyButton } from './passkey-button.ts';
import { endSubscription, offerReminders } from './reminder-forms.ts';
import { sendOnce } from './send-once.ts';
import { followSignOut, signOutEverywhere } from './sign-out.ts';

/** Selects the browser's time zone by default; browsers may report its former name. */
function chooseOwnTimeZone(select: HTMLSelectElement): void {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const own = [...select.options].find(({ value, dataset }) =>
    [value, dataset.formerName].includes(timeZone),
  );
  if (own !== undefined) own.selected = true;
}

/** Back and reload open the form's page instead of resubmitting it, unless resubmitting is useful. */
function openAgainWithoutSending(): void {
  if (document.querySelector('[data-resend]') !== null) return;
  history.replaceState(history.state, '', findAll('[data-address]', HTMLElement)[0]?.dataset.address);
}

function showLogo(place: HTMLElement): void {
  const image = new Image();
  image.alt = '';
  image.addEventListener('load', () => place.append(image));
  image.src = place.dataset.logo ?? '';
}

openAgainWithoutSending();
document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
findAll('[data-copy]', HTMLElement).forEach(addCopyButton);
findAll('button[data-arms]', HTMLButtonElement).forEach(armAfterAttention);
findAll('select[data-own-time-zone]', HTMLSelectElement).forEach(chooseOwnTimeZone);
findAll('form[data-answers-app]', HTMLFormElement).forEach(sayWhenAnswered);
findAll('[data-logo]', HTMLElement).forEach(showLogo);
findAll('[data-passkey]', HTMLElement).forEach(addPasskeyButton);
findAll('form[action="/sign-out"]', HTMLFormElement).forEach(signOutEverywhere);
findAll('form[data-push-key]', HTMLFormElement).forEach(offerReminders);
findAll('form[data-push-off]', HTMLFormElement).forEach(endSubscription);
sendOnce();
if (document.querySelector('[data-signed-in]') !== null) followSignOut();
if (document.querySelector('[data-export], [data-import]') !== null) void import('./data.ts');
