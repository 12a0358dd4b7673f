import { type AppTask, appApiPath, appSessionPath } from '#shared/app/app-protocol.ts';
import type { PushPayload } from '#shared/app/push-payload.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { addDays, knownZone, todayIn } from '../dates/civil-date.ts';
import { type ApiRequest, createApi } from '../store/api.ts';
import { SignedOut } from '../store/errors.ts';
import { reminderWords as words } from '../words/reminder-words.ts';
import type { OpenTaskMessage } from './open-task-message.ts';

type TaskPayload = Extract<PushPayload, { kind: 'task' }>;

/** Notifications of reminders and what their buttons do. */
export function serveReminders(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => {
    const payloads: PushPayload[] | undefined = event.data?.json();
    if (payloads === undefined) return;
    event.waitUntil(Promise.all(payloads.map((payload) => show(worker, payload))));
  });
  worker.addEventListener('notificationclick', (event) => {
    const payload: PushPayload = event.notification.data;
    event.notification.close();
    const isAction = payload.kind === 'task' && (event.action === 'done' || event.action === 'tomorrow');
    event.waitUntil(isAction ? act(worker, payload, event.action) : openApp(worker, payload));
  });
  worker.addEventListener('pushsubscriptionchange', (event) => {
    event.waitUntil(renew(worker, event));
  });
}

/** `note`: why the last press of a button failed. */
function show(worker: ServiceWorkerGlobalScope, payload: PushPayload, note?: string): Promise<void> {
  const { tag } = payload;
  if (payload.kind === 'digest') {
    const body = payload.titles.join('\n');
    return worker.registration.showNotification(words.digest(payload.count), { tag, data: payload, body });
  }
  const actions = [
    { action: 'done', title: words.done },
    { action: 'tomorrow', title: words.tomorrow },
  ];
  const options = { tag, data: payload, body: note ?? describeTime(payload), ...(!note && { actions }) };
  return worker.registration.showNotification(payload.title, options);
}

/** Includes the date if it has passed: browser or service were unavailable. */
function describeTime({ dueDate, time, timezone }: TaskPayload): string {
  return words.due(time, dueDate < todayIn(knownZone(timezone), new Date()) ? dueDate : null);
}

async function act(worker: ServiceWorkerGlobalScope, payload: TaskPayload, action: string): Promise<void> {
  const note = await change(payload, action).catch((error: unknown) =>
    error instanceof SignedOut ? words.isSignedOut : words.isFailed,
  );
  if (note !== undefined) await show(worker, payload, note);
}

/** Returns the error, if any. A repeat that has advanced to its next date is not changed. */
async function change(
  { taskId, dueDate, time, timezone, tag }: TaskPayload,
  action: string,
): Promise<string | undefined> {
  let zone = timezone;
  const api = createApi(({ account }) => {
    zone = account.timezone;
  });
  const path = `${apiRootPath}/tasks/${taskId}`;
  const { status, body } = await api.send({ method: 'GET', path });
  if (status !== 200) return status === 404 ? words.isChanged : words.isFailed;
  const task = body as Pick<AppTask, 'status' | 'inTrash' | 'dueDate' | 'reminderTime'>;
  if (task.status !== 'open' || task.inTrash) return undefined;
  if (task.dueDate !== dueDate || task.reminderTime !== time) return words.isChanged;
  const complete: ApiRequest = {
    method: 'POST',
    path: `${appApiPath}/tasks/${taskId}/complete`,
    body: { occurrence: dueDate },
    idempotencyKey: `${tag}-${action}`,
  };
  const tomorrow = addDays(todayIn(knownZone(zone), new Date()), 1);
  const done = await api.send(
    action === 'done' ? complete : { method: 'PATCH', path, body: { dueDate: tomorrow } },
  );
  return done.status < 300 ? undefined : words.isFailed;
}

async function openApp(worker: ServiceWorkerGlobalScope, payload: PushPayload): Promise<void> {
  const id = payload.kind === 'task' ? payload.taskId : null;
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname.startsWith('/app/'));
  if (open === undefined) await worker.clients.openWindow(id === null ? '/app/' : `/app/?task=${id}`);
  else {
    await open.focus();
    const message: OpenTaskMessage = { openTask: id };
    open.postMessage(message);
  }
}

/** The browser replaced its subscription: sends the new one to the service. */
async function renew(
  worker: ServiceWorkerGlobalScope,
  { newSubscription, oldSubscription }: PushSubscriptionChangeEvent,
): Promise<void> {
  const { pushManager } = worker.registration;
  const options = oldSubscription?.options;
  const made = newSubscription ?? (options && (await pushManager.subscribe(options)));
  if (!made) return;
  const { endpoint, keys } = made.toJSON();
  await fetch(`${appSessionPath}/push-subscription`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ endpoint, keys }),
  });
}
