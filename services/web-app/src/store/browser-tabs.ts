import { leftBy } from './last-writes.ts';
import type { Tabs } from './tabs.ts';

export function openBrowserTabs(accountId: string): Tabs {
  const channel = new BroadcastChannel(`tasks-${accountId}`);
  const ending = new AbortController();
  return {
    post: (message) => channel.postMessage(message),
    onMessage(receive) {
      channel.addEventListener('message', (event) => receive(event.data));
      // A closing tab sends no more messages.
      const onStorage = ({ key, newValue }: StorageEvent) => {
        const isLeft = newValue !== null && key?.startsWith(leftBy(accountId));
        if (isLeft) receive({ kind: 'outbox', removed: [] });
      };
      window.addEventListener('storage', onStorage, { signal: ending.signal });
    },
    lead(run) {
      const { signal } = ending;
      navigator.locks
        .request(`sync-${accountId}`, { signal }, () => run(signal))
        .catch((error: unknown) => {
          if (!signal.aborted) throw error;
        });
    },
    close() {
      ending.abort();
      channel.close();
    },
  };
}
