import type { Store } from '../store/store.ts';
import { offlineWords as words } from '../words/offline-words.ts';

/** Without a connection a link out of the app would show an error of the browser, from which no app leads back. */
export function stayOffline(store: Store): () => void {
  const ending = new AbortController();
  const stay = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null || event.defaultPrevented || store.connection.value !== 'offline') return;
    const leaves = link.origin === location.origin && !link.pathname.startsWith('/app/');
    if (!leaves || link.target !== '') return;
    event.preventDefault();
    store.notices.toast(words.needsConnection(link.ariaLabel ?? link.innerText));
  };
  document.addEventListener('click', stay, { signal: ending.signal });
  return () => ending.abort();
}
