/* The service worker: the page and its files without a network, and reminders. What page and service say passes by. */

import { type ReminderScope, serveReminders } from './reminders/worker-reminders.ts';

type Extendable = Event & { waitUntil(work: Promise<unknown>): void };
type FetchLike = Extendable & { request: Request; respondWith(response: Promise<Response>): void };
type WorkerScope = ReminderScope & {
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchLike) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  clients: { claim(): Promise<void> };
  location: { origin: string };
};

const cacheName = `app-${buildId}`;
const shell = '/app/';
const files = new Set(builtFiles);
/** Not screens of the app. */
const passedBy = ['/app/api/', '/app/session/', '/app/assets/', '/app/sw.js', '/app/manifest.webmanifest'];

const scope: unknown = globalThis;
if (isWorker(scope)) serve(scope);

/** The compiler knows the globals of pages alone. */
function isWorker(value: unknown): value is WorkerScope {
  return value instanceof Object && 'skipWaiting' in value;
}

function serve(worker: WorkerScope): void {
  serveReminders(worker);

  worker.addEventListener('install', (event) => {
    event.waitUntil(fill());
  });

  worker.addEventListener('activate', (event) => {
    event.waitUntil(takeOver(worker));
  });

  worker.addEventListener('message', ({ data }) => {
    if (data === 'take over') worker.skipWaiting().catch(() => undefined);
  });

  worker.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    if (request.method !== 'GET' || origin !== worker.location.origin) return;
    const isScreen = request.mode === 'navigate' && pathname.startsWith(shell);
    if (isScreen && !passedBy.some((path) => pathname.startsWith(path)))
      event.respondWith(fromCache(shell, request));
    else if (pathname !== shell && files.has(pathname)) event.respondWith(fromCache(pathname, request));
  });
}

/** All files of this build or none: an install that fails is tried again by the browser. */
async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(builtFiles.map((url) => new Request(url, { cache: 'no-cache' })));
}

async function takeOver(worker: WorkerScope): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function fromCache(url: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(url, { ignoreVary: true })) ?? fetch(request);
}
