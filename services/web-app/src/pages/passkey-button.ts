import { fieldOf, make } from './elements.ts';

/** The pending request of conditional mediation; only one request may be pending. */
let waiting = new AbortController();

/** A place with `data-passkey` gets a button that asks for a passkey and sends it with the form around it. */
export function addPasskeyButton(place: HTMLElement): void {
  // WebAuthn §5.1.3: a passkey belongs to a name, not to an IP address.
  const hasName = !/^[\d.]+$|:/.test(location.hostname);
  const { dataset } = place;
  const isOfferedInField = dataset.offeredInField !== undefined;
  if (!hasName || globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) {
    if (!isOfferedInField) sayNoPasskeys(place);
    return;
  }
  const button = make('button', {
    type: 'button',
    className: place.closest('.settings') === null ? 'btn big' : 'btn',
    textContent: dataset.label ?? '',
    // Focused if the page asks only for a passkey, so that Enter continues.
    autofocus: dataset.passkey === 'get' && !isOfferedInField,
  });
  place.append(button);
  const problem = make('p', { className: 'error', role: 'alert' });
  button.addEventListener('click', async () => {
    problem.remove();
    waiting.abort();
    waiting = new AbortController();
    try {
      sendPasskey(place, await askForPasskey(place, { signal: waiting.signal }));
    } catch (error) {
      problem.textContent =
        error instanceof DOMException && error.name === 'InvalidStateError'
          ? 'This device has a passkey for your account already.'
          : 'That did not work, or it was cancelled. You can try again.';
      place.append(problem);
    }
  });
  if (isOfferedInField) void offerInField(place);
  if (dataset.passkey === 'create') askOnEnter(formOf(place), button);
}

function formOf(place: HTMLElement): HTMLFormElement {
  const form = place.closest('form');
  if (form === null) throw new Error('A passkey is sent with the form around its button.');
  return form;
}

/** Enter in the name field would submit the form without a passkey. */
function askOnEnter(form: HTMLFormElement, button: HTMLButtonElement): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.click();
  });
}

/** Replaces the form that adds a passkey; other pages have alternatives. */
function sayNoPasskeys(place: HTMLElement): void {
  const isNew = place.dataset.passkey === 'create';
  const textContent = `This browser can’t ${isNew ? 'add' : 'use'} a passkey here.`;
  (isNew ? formOf(place) : place).replaceChildren(make('p', { className: 'hint', textContent }));
}

/** Conditional mediation: the browser offers passkeys in its autofill list. */
async function offerInField(place: HTMLElement): Promise<void> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
  const { signal } = waiting;
  try {
    sendPasskey(place, await askForPasskey(place, { signal, mediation: 'conditional' }));
  } catch {
    // Cancelled: the button remains.
  }
}

function askForPasskey(
  { dataset }: HTMLElement,
  further: { signal: AbortSignal; mediation?: CredentialMediationRequirement },
): Promise<Credential | null> {
  const given = JSON.parse(dataset.options ?? '');
  if (dataset.passkey === 'get') {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given);
    return navigator.credentials.get({ publicKey, ...further });
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given);
  return navigator.credentials.create({ publicKey, ...further });
}

/** Skips the validation of other fields, which a passkey replaces. */
function sendPasskey(place: HTMLElement, credential: Credential | null): void {
  const form = formOf(place);
  fieldOf(form, place.dataset.field ?? '').value = JSON.stringify(credential);
  form.submit();
}
