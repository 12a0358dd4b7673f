import { useEffect, useRef, useState } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';

export type PagedList<Page> = {
  pages: readonly Page[];
  state: 'loading' | 'ready' | 'failed';
  /** Null on the last page. */
  loadMore: (() => void) | null;
  reload: () => void;
};

/** Pages from the server. Reread after each change of the account, and when it is online again. */
export function usePages<Page extends { nextCursor: string | null }>(path: string): PagedList<Page> {
  const store = useStore();
  const changes = store.position.value?.seq;
  const [pages, setPages] = useState<readonly Page[]>([]);
  const [state, setState] = useState<PagedList<Page>['state']>('loading');
  const [attempt, setAttempt] = useState(0);
  const connection = store.connection.value;
  const isUpToDate = useRef(true);
  isUpToDate.current =
    connection === 'suspended' ||
    (connection === 'online' && (isUpToDate.current || store.waitingCount.value === 0));
  /** The current read, which may be replaced; «more» applies to its result. */
  const reading = useRef<object | null>(null);
  const hasMore = pages.at(-1)?.nextCursor != null;

  /** Reads pages after the shown ones until there are `count`. */
  async function read(shown: readonly Page[], count: number): Promise<void> {
    const own = {};
    const isCurrent = () => reading.current === own;
    reading.current = own;
    const next = [...shown];
    try {
      do {
        const page = await store.read<Page>(addressOf(path, next.at(-1)?.nextCursor ?? null));
        if (!isCurrent()) return;
        next.push(page);
      } while (next.length < count && next.at(-1)?.nextCursor !== null);
      setPages(next);
      setState('ready');
    } catch {
      if (isCurrent()) setState('failed');
    } finally {
      if (isCurrent()) reading.current = null;
    }
  }

  useEffect(() => {
    void read([], pages.length);
    return () => {
      reading.current = null;
    };
  }, [path, changes, isUpToDate.current, attempt]);

  function more(): void {
    if (reading.current === null) void read(pages, pages.length + 1);
  }

  return {
    pages,
    state,
    loadMore: hasMore ? more : null,
    reload: () => setAttempt(attempt + 1),
  };
}

function addressOf(path: string, cursor: string | null): string {
  if (cursor === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
}
