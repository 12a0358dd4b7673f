import { linkOf } from '../router.ts';
import type { Store } from '../store/store.ts';
import { dialogWords as words } from '../words/dialog-words.ts';

const timeoutMilliseconds = 10_000;

/** Leaves the app if the page is reachable: an installed app has no way back from the error page. */
export async function leaveFor(store: Store, href: string, name: string): Promise<void> {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const isThere = await fetch(href, { method: 'HEAD', redirect: 'manual', signal }).then(
    () => true,
    () => false,
  );
  if (isThere) window.location.assign(href);
  else store.notices.toast(words.needsConnection(name));
}

/** Stays in the app on links to other pages while the network is down, detected or not. */
export function stayOffline(store: Store, signal: AbortSignal): void {
  const stay = (event: MouseEvent) => {
    const link = linkOf(event);
    if (link === null || link.pathname.startsWith('/app/')) return;
    if (store.connection.value === 'signed-out') return;
    event.preventDefault();
    leaveFor(store, link.href, link.ariaLabel ?? link.innerText).catch(reportError);
  };
  document.addEventListener('click', stay, { signal });
}
