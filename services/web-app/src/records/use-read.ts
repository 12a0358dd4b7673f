import { useEffect, useState } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';

/** The server's response, read again when `version` changes; undefined until then. `path` null: none. */
export function useRead<Answer>(path: string | null, version?: unknown): Answer | 'failed' | undefined {
  const store = useStore();
  const [answer, setAnswer] = useState<Answer | 'failed'>();
  useEffect(() => {
    if (path === null) return;
    let isCurrent = true;
    store.read<Answer>(path).then(
      (read) => isCurrent && setAnswer(() => read),
      () => isCurrent && setAnswer('failed'),
    );
    return () => {
      isCurrent = false;
    };
  }, [path, version]);
  return answer;
}
