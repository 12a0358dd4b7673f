import { signal } from '@preact/signals';

const hiddenMilliseconds = 3_600_000;
const scope = '/app/';
const workerUrl = '/app/sw.js';
const takeOverMessage = 'take over';

export function createAppVersion() {
  const newVersion = signal(false);
  let registration: ServiceWorkerRegistration | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWanted = false;

  function loadNewVersion(): void {
    isWanted = true;
    if (registration?.waiting) registration.waiting.postMessage(takeOverMessage);
    else window.location.reload();
  }

  function follow(worker: ServiceWorker | null): void {
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && navigator.serviceWorker.controller !== null)
        newVersion.value = true;
    });
  }

  return {
    newVersion,
    loadNewVersion,
    /** Registers the service worker; a newer one takes over by itself in a tab that is hidden for an hour. */
    async start(hasUnsent: () => boolean): Promise<void> {
      if (!('serviceWorker' in navigator)) return;
      const wasControlled = navigator.serviceWorker.controller !== null;
      navigator.serviceWorker.addEventListener('controllerchange', () => {
        if (isWanted || (wasControlled && document.hidden)) window.location.reload();
        else if (wasControlled) newVersion.value = true;
      });
      const found = await navigator.serviceWorker.register(trustedWorkerUrl(), { scope });
      registration = found;
      newVersion.value = found.waiting !== null && wasControlled;
      // The browser may have found one while the page started.
      follow(found.installing);
      found.addEventListener('updatefound', () => follow(found.installing));
      document.addEventListener('visibilitychange', () => {
        clearTimeout(timer);
        if (!document.hidden) found.update().catch(() => undefined);
        else {
          timer = setTimeout(() => {
            if (newVersion.value && !hasUnsent()) loadNewVersion();
          }, hiddenMilliseconds);
        }
      });
    },
  };
}

/** The one script URL that the page may load: the policy ignores its input. */
function trustedWorkerUrl(): string {
  const rules = { createScriptURL: (_text: string) => workerUrl };
  return (window.trustedTypes?.createPolicy('worker', rules) ?? rules).createScriptURL('');
}
