import { signal } from '@preact/signals';
import { Button } from '../components/button.tsx';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';
import { dialogWords as words } from '../words/dialog-words.ts';
import { Strip } from './strip.tsx';

const hiddenMilliseconds = 3_600_000;
const scope = '/app/';
/** The one script URL that the page may load: the policy ignores its input. */
const rules = { createScriptURL: (_text: string) => '/app/sw.js' };
const policy = window.trustedTypes?.createPolicy('worker', rules) ?? rules;
const takeOverMessage = 'take over';

/** A newer version of the app is installed and waits. */
const newVersion = signal(false);
let registration: Promise<ServiceWorkerRegistration> | undefined;
let isWanted = false;

/** A newer version of the app, once nothing waits to be sent. */
export function VersionStrip() {
  const waiting = useStore().waitingCount.value;
  if (!newVersion.value || waiting > 0) return null;
  return (
    <Strip
      icon="repeat"
      kind="plain"
      acts={<Button text={words.loadIt} onPress={() => void loadNewVersion()} />}
    >
      {words.newVersion}
    </Strip>
  );
}

async function loadNewVersion(): Promise<void> {
  isWanted = true;
  const { waiting = null } = (await registration) ?? {};
  if (waiting === null) window.location.reload();
  else waiting.postMessage(takeOverMessage);
}

/** Registers the service worker; a newer one takes over by itself in a tab that is hidden for an hour. */
export function followVersions(store: Store, signal: AbortSignal): void {
  if (!('serviceWorker' in navigator)) return;
  const wasControlled = navigator.serviceWorker.controller !== null;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function follow({ installing, active }: ServiceWorkerRegistration): void {
    // The first one is no newer version; browsers may report it only once it controls the page.
    if (active === null) return;
    const look = () => {
      if (installing?.state === 'installed') newVersion.value = true;
    };
    installing?.addEventListener('statechange', look, { signal });
  }

  async function start(): Promise<void> {
    registration ??= navigator.serviceWorker.register(policy.createScriptURL(''), { scope });
    const found = await registration;
    if (found.waiting !== null && wasControlled) newVersion.value = true;
    // The browser may have found one while the page started.
    follow(found);
    found.addEventListener('updatefound', () => follow(found), { signal });
    const look = () => {
      clearTimeout(timer);
      if (!document.hidden) found.update().catch(() => undefined);
      else {
        timer = setTimeout(() => {
          if (newVersion.value && store.waitingCount.peek() === 0) void loadNewVersion();
        }, hiddenMilliseconds);
      }
    };
    document.addEventListener('visibilitychange', look, { signal });
  }

  const take = () => {
    if (isWanted || (wasControlled && document.hidden)) window.location.reload();
    else if (wasControlled) newVersion.value = true;
  };
  navigator.serviceWorker.addEventListener('controllerchange', take, { signal });
  // Without a connection the app goes on without it until there is one.
  const startOrRetry = () => {
    start().catch(() => {
      registration = undefined;
      window.addEventListener('online', startOrRetry, { once: true, signal });
    });
  };
  startOrRetry();
  signal.addEventListener('abort', () => clearTimeout(timer));
}
