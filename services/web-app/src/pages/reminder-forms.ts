import { fieldOf, findOne } from './elements.ts';

const refusedText =
  'Notifications of this site are blocked in your browser’s settings. ' +
  'Allow them there, then load this page again.';
const unansweredText = 'The browser’s question was closed without an answer. Turn them on again to be asked.';
const missingText =
  'This browser can’t receive reminders. ' +
  'On an iPhone or iPad, add the app to the Home Screen and open it from there.';

const workerUrl = '/app/sw.js';
const workerScope = '/app/';

/** Requests the permission and subscription only after a press of the button. */
export function offerReminders(form: HTMLFormElement): void {
  const note = findOne('[role=status]', HTMLElement, form);
  const obstacle = obstacleToReminders();
  note.textContent = obstacle ?? '';
  if (obstacle !== undefined) return;
  findOne('button', HTMLButtonElement, form).hidden = false;
  form.addEventListener('submit', (event) => {
    if (fieldOf(form, 'endpoint').value !== '') return;
    event.preventDefault();
    subscribe(form).then(
      (text) => {
        if (text === undefined) form.submit();
        else note.textContent = text;
      },
      (error: unknown) => {
        note.textContent = `The browser could not do it: ${error instanceof Error ? error.message : error}`;
      },
    );
  });
}

export function endSubscription(form: HTMLFormElement): void {
  form.addEventListener('submit', async () => {
    const registration = await navigator.serviceWorker?.getRegistration(workerScope);
    await (await registration?.pushManager?.getSubscription())?.unsubscribe();
  });
}

function obstacleToReminders(): string | undefined {
  const isPossible = 'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;
  if (!isPossible) return missingText;
  return Notification.permission === 'denied' ? refusedText : undefined;
}

/** Fills in the form; returns the error, if any. */
async function subscribe(form: HTMLFormElement): Promise<string | undefined> {
  const permission = await Notification.requestPermission();
  if (permission !== 'granted') return permission === 'denied' ? refusedText : unansweredText;
  const { pushManager } = await whenActive(
    await navigator.serviceWorker.register(workerUrl, { scope: workerScope }),
  );
  // A subscription with another key or account would be refused.
  await (await pushManager.getSubscription())?.unsubscribe();
  const made = await pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: form.dataset.pushKey ?? null,
  });
  const { endpoint = '', keys } = made.toJSON();
  for (const [name, value] of Object.entries({ endpoint, ...keys })) fieldOf(form, name).value = value;
  return undefined;
}

async function whenActive(registration: ServiceWorkerRegistration): Promise<ServiceWorkerRegistration> {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active !== null || worker === null) return registration;
  return new Promise((resolve) => {
    worker.addEventListener('statechange', () => registration.active && resolve(registration));
  });
}
