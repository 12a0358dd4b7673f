import { useEffect, useState } from 'preact/hooks';
import { type AppSearchResponse, appApiPath, longestSearch } from '#shared/app/app-protocol.ts';
import { useStore } from '../store/store-context.ts';

const delayMilliseconds = 200;
const shortest = 2;
const nothing: AppSearchResponse = { tasks: [], projects: [], isMore: false };

/** Matches in notes and closed tasks, which are not in the local copy; empty while offline. */
export function useServerSearch(query: string): AppSearchResponse & { isSearching: boolean } {
  const store = useStore();
  const [found, setFound] = useState<AppSearchResponse & { query: string }>({ ...nothing, query: '' });
  const isAsked = query.length >= shortest && store.connection.value !== 'offline';
  useEffect(() => {
    if (!isAsked) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      // The beginning of a long title finds it, too.
      const q = [...query].slice(0, longestSearch).join('');
      store.read<AppSearchResponse>(`${appApiPath}/search?${new URLSearchParams({ q })}`).then(
        (answer) => isCurrent && setFound({ ...answer, query }),
        () => isCurrent && setFound({ ...nothing, query }),
      );
    }, delayMilliseconds);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [query, isAsked]);
  const isCurrent = isAsked && found.query === query;
  return isCurrent ? { ...found, isSearching: false } : { ...nothing, isSearching: isAsked };
}
