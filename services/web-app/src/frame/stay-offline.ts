import type { Store } from '../store/store.ts';
import { offlineWords as words } from '../words/offline-words.ts';

const timeoutMilliseconds = 10_000;

/**
 * Opens a page outside the app if it is reachable: an installed app has no way back from the browser's error
 * page.
 */
export async function leaveFor(store: Store, href: string, name: string): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const isThere = await fetch(href, { method: 'HEAD', redirect: 'manual', signal }).then(
    () => true,
    () => false,
  );
  if (isThere) window.location.assign(href);
  else store.notices.toast(words.needsConnection(name));
}

/**
 * Keeps the user in the app on links to other pages while the network is down, also if that was not detected
 * yet.
 */
export function stayOffline(store: Store, signal: AbortSignal): void {
  const stay = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    // With such a key the page opens in another tab or window.
    const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (link === null || event.defaultPrevented || opensElsewhere || link.target !== '') return;
    if (store.connection.value === 'signed-out') return;
    if (link.origin !== location.origin || link.pathname.startsWith('/app/')) return;
    event.preventDefault();
    leaveFor(store, link.href, link.ariaLabel ?? link.innerText).catch(reportError);
  };
  document.addEventListener('click', stay, { signal });
}
