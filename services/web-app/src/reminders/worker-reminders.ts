import { type AppSessionToken, appApiPath } from '#shared/app/app-protocol.ts';
import type { PushPayload, PushPayloads } from '#shared/app/push-payload.ts';
import { addDays, knownZone, todayIn } from '../dates/civil-date.ts';
import { reminderWords as words } from '../words/reminder-words.ts';
import type { OpenTaskMessage } from './open-task-message.ts';

type TaskPayload = Extract<PushPayload, { kind: 'task' }>;

const subscriptionPath = '/app/session/push-subscription';
const tasksPath = '/api/public/v1/tasks';

/** Notifications of reminders and what their buttons do. */
export function serveReminders(worker: ServiceWorkerGlobalScope): void {
  worker.addEventListener('push', (event) => {
    const payloads: PushPayloads | undefined = event.data?.json();
    if (payloads === undefined) return;
    event.waitUntil(Promise.all([payloads].flat().map((payload) => show(worker, payload))));
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

/** `note`: why the last press of a button did nothing. */
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

/** With the day where it has passed: the browser or the service was away. */
function describeTime({ dueDate, time, timezone }: TaskPayload): string {
  return words.due(time, dueDate < todayIn(knownZone(timezone), new Date()) ? dueDate : null);
}

async function act(worker: ServiceWorkerGlobalScope, payload: TaskPayload, action: string): Promise<void> {
  const note = await change(payload, action).catch(() => words.isFailed);
  if (note !== undefined) await show(worker, payload, note);
}

/** Returns what stands in the way, if anything. A repeat that has gone on to its next day is left alone. */
async function change(
  { taskId, dueDate, time, tag }: TaskPayload,
  action: string,
): Promise<string | undefined> {
  const session = await postJson('/app/session/token', {});
  if (session.status === 401) return words.isSignedOut;
  const { accessToken, account }: AppSessionToken = await session.json();
  const call = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(path, {
      method,
      headers: {
        Authorization: `Bearer ${accessToken}`,
        ...(method === 'POST' && { 'Idempotency-Key': `${tag}-${action}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  const task = await call('GET', `${tasksPath}/${taskId}`);
  if (!task.ok) return task.status === 404 ? words.isChanged : words.isFailed;
  const present = await task.json();
  if (present.status !== 'open' || present.inTrash) return undefined;
  if (present.dueDate !== dueDate || present.reminderTime !== time) return words.isChanged;
  const tomorrow = addDays(todayIn(knownZone(account.timezone), new Date()), 1);
  const done = await (action === 'done'
    ? call('POST', `${appApiPath}/tasks/${taskId}/complete`, { occurrence: dueDate })
    : call('PATCH', `${tasksPath}/${taskId}`, { dueDate: tomorrow }));
  return done.ok ? undefined : words.isFailed;
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

/** The browser has given up its subscription: the service gets the new one. */
async function renew(
  worker: ServiceWorkerGlobalScope,
  { newSubscription, oldSubscription }: PushSubscriptionChangeEvent,
): Promise<void> {
  const { pushManager } = worker.registration;
  const options = oldSubscription?.options;
  const made = newSubscription ?? (options && (await pushManager.subscribe(options)));
  if (!made) return;
  const { endpoint, keys } = made.toJSON();
  await postJson(subscriptionPath, { endpoint, keys });
}

function postJson(path: string, body: object): Promise<Response> {
  return fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
}
