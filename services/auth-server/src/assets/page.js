// What script adds to pages that work without it.

/** Every `data-copy="#id"` gets a button that copies what the element with that id holds. */
function addCopyButton(place) {
  const source = document.querySelector(place.dataset.copy);
  if (source === null) return;
  const button = place.appendChild(document.createElement('button'));
  button.type = 'button';
  button.className = 'btn';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    button.textContent = (await copyText(source)) ? 'Copied' : 'Press Ctrl+C';
  });
  // Said aloud when it changes.
  button.setAttribute('aria-live', 'polite');
}

/** The clipboard is closed to pages without TLS: what is to be copied is selected then, for the keyboard. */
async function copyText(source) {
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
    return true;
  } catch {
    getSelection()?.selectAllChildren(source);
    return false;
  }
}

/** Chooses the browser's own time zone where nobody has chosen one; the browser may know it by its former name. */
function chooseOwnTimeZone(select) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const own = [...select.options].find(({ value, dataset }) =>
    [value, dataset.formerName].includes(timeZone),
  );
  if (own !== undefined) own.selected = true;
}

/** An app of the device takes the answer without the page being left; its form would send nothing a second time. */
function sayWhenAnswered(form) {
  form.addEventListener('submit', () => {
    setTimeout(() => {
      const done = document.createElement('p');
      done.className = 'notice';
      done.role = 'status';
      done.tabIndex = -1;
      done.textContent = 'Your answer is on its way to the app. You can close this window.';
      form.parentElement.replaceChildren(done);
      done.focus();
    }, 1_000);
  });
}

/** The logo of `data-logo` covers the initial once it has come; nothing is shown of one that can't be had. */
function showLogo(place) {
  const image = new Image();
  image.alt = '';
  image.addEventListener('load', () => place.append(image));
  image.src = place.dataset.logo;
}

const refusedText =
  'Notifications of this site are blocked in your browser’s settings. Allow them there, then load this page again.';
const unansweredText = 'The browser’s question was closed without an answer. Turn them on again to be asked.';
const missingText =
  'This browser can’t receive reminders. On an iPhone or iPad, add the app to the Home Screen and open it from there.';

/** The browser is asked for its permission, and for the address to send to, only on a press of the button. */
function offerReminders(form) {
  const [note, button] = [form.querySelector('[role=status]'), form.querySelector('button')];
  const obstacle = obstacleToReminders();
  note.textContent = obstacle ?? '';
  if (obstacle !== undefined) return;
  button.hidden = false;
  form.addEventListener('submit', (event) => {
    if (form.elements.endpoint.value !== '') return;
    event.preventDefault();
    subscribe(form)
      .then((text) => {
        if (text === undefined) form.submit();
        else note.textContent = text;
      })
      .catch((error) => {
        note.textContent = `The browser could not do it: ${error.message}`;
      });
  });
}

function obstacleToReminders() {
  const isPossible = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isPossible) return missingText;
  return Notification.permission === 'denied' ? refusedText : undefined;
}

/** Fills the form in; returns what stands in the way, if anything. */
async function subscribe(form) {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? refusedText : unansweredText;
  await navigator.serviceWorker.register('/app/sw.js', { scope: '/app/' });
  const { pushManager } = await whenActive(await navigator.serviceWorker.getRegistration('/app/'));
  // Made with another key, or for another account, it would be refused.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: form.dataset.pushKey,
  });
  const { endpoint, keys } = made.toJSON();
  for (const [name, value] of Object.entries({ endpoint, ...keys })) form.elements[name].value = value;
  return undefined;
}

async function whenActive(registration) {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active === null)
    await new Promise((resolve) =>
      worker.addEventListener('statechange', () => registration.active && resolve()),
    );
  return registration;
}

function endSubscription(form) {
  form.addEventListener('submit', async () => {
    const registration = await navigator.serviceWorker?.getRegistration('/app/');
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  });
}

/** The request for a passkey that waits while the user's name is filled in: only one may be under way. */
let waiting = new AbortController();

/** Every `data-passkey` gets a button that asks the browser for a passkey and sends it with the form around it. */
function addPasskeyButton(place) {
  // WebAuthn §5.1.3: a passkey belongs to a name, not to an IP address.
  const hasName = !/^[\d.]+$|:/.test(location.hostname);
  const { dataset } = place;
  if (!hasName || globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON === undefined) {
    if (dataset.offeredInField === undefined) sayNoPasskeys(place);
    return;
  }
  const button = document.createElement('button');
  // Where a page asks for a passkey and nothing else was begun, Enter goes on.
  button.autofocus = dataset.passkey === 'get' && dataset.offeredInField === undefined;
  place.append(button);
  button.type = 'button';
  button.className = place.closest('.settings') === null ? 'btn big' : 'btn';
  button.textContent = dataset.label;
  const problem = document.createElement('p');
  problem.className = 'error';
  problem.role = 'alert';
  button.addEventListener('click', async () => {
    problem.remove();
    waiting.abort();
    waiting = new AbortController();
    try {
      sendPasskey(place, await askForPasskey(dataset, { signal: waiting.signal }));
    } catch (error) {
      problem.textContent =
        error.name === 'InvalidStateError'
          ? 'This device has a passkey for your account already.'
          : 'That did not work, or it was cancelled. You can try again.';
      place.append(problem);
    }
  });
  if (dataset.offeredInField !== undefined) void offerInField(place);
  if (dataset.passkey === 'create') askOnEnter(place.closest('form'), button);
}

/** Enter in the field for the name would send the form without a passkey. */
function askOnEnter(form, button) {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.click();
  });
}

/** Replaces the form that adds a passkey; a page that asks for one has other ways to go on. */
function sayNoPasskeys(place) {
  const isNew = place.dataset.passkey === 'create';
  const note = document.createElement('p');
  note.className = 'hint';
  note.textContent = `This browser can’t ${isNew ? 'add' : 'use'} a passkey here.`;
  (isNew ? place.closest('form') : place).replaceChildren(note);
}

/** The browser's list of names then holds passkeys, too. */
async function offerInField(place) {
  const isKnown = PublicKeyCredential.isConditionalMediationAvailable;
  if (isKnown === undefined || !(await PublicKeyCredential.isConditionalMediationAvailable())) return;
  const { signal } = waiting;
  try {
    sendPasskey(place, await askForPasskey(place.dataset, { signal, mediation: 'conditional' }));
  } catch {
    // Not chosen: the button remains.
  }
}

function askForPasskey({ passkey, options }, further) {
  const given = JSON.parse(options);
  if (passkey === 'get') {
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given);
    return navigator.credentials.get({ publicKey, ...further });
  }
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(given);
  return navigator.credentials.create({ publicKey, ...further });
}

/** Without the checks of its other fields: a passkey stands in for them. */
function sendPasskey(place, credential) {
  const form = place.closest('form');
  form.elements.namedItem(place.dataset.field).value = JSON.stringify(credential);
  form.submit();
}

const attentionMilliseconds = 1_000;

/**
 * A button that grants something takes no click that was meant for another window, such as the second half of a double
 * click whose first half closed a popup above it: the page must have been visible and focused for a second, and the
 * mouse moved on the button since. A key or a tap needs the second alone.
 */
function armAfterAttention(button) {
  let timer;
  let hasMoved = false;
  let isPressed = false;

  const isArmed = () => button.getAttribute('aria-disabled') === null;
  const disarm = () => {
    clearTimeout(timer);
    hasMoved = false;
    isPressed = false;
    button.setAttribute('aria-disabled', 'true');
  };
  const watch = () => {
    disarm();
    if (document.visibilityState !== 'visible' || !document.hasFocus()) return;
    timer = setTimeout(() => button.removeAttribute('aria-disabled'), attentionMilliseconds);
  };

  for (const type of ['focus', 'blur', 'pageshow']) addEventListener(type, watch);
  document.addEventListener('visibilitychange', watch);
  button.addEventListener('pointermove', () => {
    hasMoved = isArmed();
  });
  button.addEventListener('pointerdown', ({ pointerType }) => {
    isPressed = isArmed() && (hasMoved || pointerType !== 'mouse');
  });
  button.addEventListener('click', (event) => {
    // A key's click has no count (UI Events, 3.4.3).
    if (isArmed() && (isPressed || event.detail === 0)) return;
    event.preventDefault();
  });
  watch();
}

const patienceMilliseconds = 10_000;

/** The answer to a second press would be that what the first one did cannot be done. Later the first may have been lost. */
function sendOnce(event) {
  const isSent = document.querySelector('form[data-sent]') !== null;
  if (isSent) event.preventDefault();
  if (event.defaultPrevented) return;
  event.target.dataset.sent = '';
  setTimeout(allowSending, patienceMilliseconds);
}

function allowSending() {
  for (const form of document.forms) delete form.dataset.sent;
}

const signOuts = new BroadcastChannel('sign-outs');

/** Who signs out in one window has signed out in all. Where the service does not answer, nobody has. */
function signOutEverywhere(form) {
  const note = Object.assign(document.createElement('p'), { className: 'warning', role: 'alert' });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    note.textContent = 'Signing out…';
    document.querySelector('h1').after(note);
    const probe = { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(8_000) };
    const isAnswered = await fetch(form.action, probe).then(
      () => true,
      () => false,
    );
    if (!isAnswered) {
      note.textContent =
        'Signing out needs a connection, and the service does not answer: you are still signed in, and your tasks are still on this device.';
      return;
    }
    const unsent = await countUnsent().catch(() => 0);
    const question = `Changes of the app that this device has not sent yet: ${unsent}. Opening the app sends them, signing out deletes them. Sign out?`;
    if (unsent > 0 && !confirm(question)) return;
    signOuts.postMessage(undefined);
    form.submit();
  });
}

/** What the app keeps in this browser until it is sent, of every account. */
async function countUnsent() {
  const databases = (await indexedDB.databases()).filter(({ name }) => name.startsWith('tasks-'));
  const counts = await Promise.all(databases.map(({ name }) => countRecords(name)));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function countRecords(name) {
  const database = await resultOf(indexedDB.open(name));
  const count = await resultOf(database.transaction('records').objectStore('records').count());
  database.close();
  return count;
}

function resultOf(request) {
  return new Promise((resolve, reject) =>
    Object.assign(request, { onsuccess: () => resolve(request.result), onerror: reject }),
  );
}

function stopShowingAccount() {
  const done = Object.assign(document.createElement('p'), { className: 'notice', role: 'status' });
  done.textContent = 'You have signed out in another window.';
  const again = document.createElement('a');
  again.className = 'btn';
  again.href = location.pathname;
  again.textContent = 'Load this page again';
  for (const part of document.querySelectorAll('.user, .tabs')) part.remove();
  document.querySelector('main').replaceChildren(done, again);
}

document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
document.querySelectorAll('[data-copy]').forEach(addCopyButton);
document.querySelectorAll('button[data-arms]').forEach(armAfterAttention);
document.querySelectorAll('select[data-own-time-zone]').forEach(chooseOwnTimeZone);
document.querySelectorAll('form[data-answers-app]').forEach(sayWhenAnswered);
document.querySelectorAll('[data-logo]').forEach(showLogo);
document.querySelectorAll('[data-passkey]').forEach(addPasskeyButton);
document.querySelectorAll('form[action="/sign-out"]').forEach(signOutEverywhere);
document.querySelectorAll('form[data-push-key]').forEach(offerReminders);
document.querySelectorAll('form[data-push-off]').forEach(endSubscription);
addEventListener('submit', sendOnce);
addEventListener('pageshow', allowSending);
if (document.querySelector('[data-signed-in]') !== null)
  signOuts.addEventListener('message', stopShowingAccount);
