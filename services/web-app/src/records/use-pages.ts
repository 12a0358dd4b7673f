import { useEffect, useRef, useState } from 'preact/hooks';
import { ReadFailure } from '../store/errors.ts';
import { useStore } from '../store/store-context.ts';

export type PagedList<Item> = {
  items: readonly Item[];
  state: 'loading' | 'ready' | 'failed';
  /** Null on the last page. */
  loadMore: (() => void) | null;
  reload: () => void;
};

/**
 * Pages of the server, read on; read anew when `version` changes, or when the connection is back and what waited for it
 * has been sent.
 */
export function usePages<Page extends { nextCursor: string | null }, Item>(
  path: string,
  itemsOf: (page: Page) => readonly Item[],
  version: unknown,
): PagedList<Item> {
  const store = useStore();
  const [items, setItems] = useState<readonly Item[]>([]);
  const [cursor, setCursor] = useState<string | null>(null);
  const [state, setState] = useState<PagedList<Item>['state']>('loading');
  const [attempt, setAttempt] = useState(0);
  const connection = store.connection.value;
  const isUpToDate = useRef(true);
  isUpToDate.current =
    connection === 'suspended' ||
    (connection === 'online' && (isUpToDate.current || store.waitingCount.value === 0));

  function read(after: string | null, isCurrent: () => boolean): void {
    const separator = path.includes('?') ? '&' : '?';
    const address = after === null ? path : `${path}${separator}cursor=${encodeURIComponent(after)}`;
    store.read<Page>(address).then(
      (page) => {
        if (!isCurrent()) return;
        setItems((shown) => (after === null ? itemsOf(page) : [...shown, ...itemsOf(page)]));
        setCursor(page.nextCursor);
        setState('ready');
      },
      (error: unknown) => {
        if (!(error instanceof ReadFailure)) throw error;
        if (isCurrent()) setState('failed');
      },
    );
  }

  useEffect(() => {
    let isCurrent = true;
    read(null, () => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, [path, version, isUpToDate.current, attempt]);

  return {
    items,
    state,
    loadMore: cursor === null ? null : () => read(cursor, () => true),
    reload: () => setAttempt(attempt + 1),
  };
}
