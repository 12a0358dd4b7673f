/* The service worker: the page and its files without a network, and reminders. Other requests pass by. */

import { serveReminders } from './reminders/worker-reminders.ts';

declare const self: ServiceWorkerGlobalScope;

const cacheName = `app-${buildId}`;
const shell = '/app/';
const files = new Set(builtFiles);
/** Not screens of the app. */
const passedBy = [
  '/app/api/',
  '/app/session/',
  '/app/assets/',
  '/app/page.js',
  '/app/sw.js',
  '/app/manifest.webmanifest',
];

serveReminders(self);
self.addEventListener('install', (event) => event.waitUntil(fill()));
self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
self.addEventListener('message', ({ data }) => {
  if (data === 'take over') self.skipWaiting().catch(() => undefined);
});
self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== self.location.origin) return;
  const isScreen = request.mode === 'navigate' && pathname.startsWith(shell);
  if (isScreen && !passedBy.some((path) => pathname.startsWith(path)))
    event.respondWith(fromCache(shell, request));
  else if (pathname !== shell && files.has(pathname)) event.respondWith(fromCache(pathname, request));
});

/** All files of this build or none: an install that fails is tried again by the browser. */
async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(builtFiles.map((url) => new Request(url, { cache: 'no-cache' })));
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
  await self.clients.claim();
}

async function fromCache(url: string, request: Request): Promise<Response> {
  const cache = await caches.open(cacheName);
  return (await cache.match(url, { ignoreVary: true })) ?? fetch(request);
}
