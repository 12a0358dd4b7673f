import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';
import type { AppActor, AppEntity } from '#shared/app/app-protocol.ts';
import { useStore } from '../store/store-context.ts';

const seenMilliseconds = 3000;

/** Who changed the row last, until it was in view for three seconds. */
export function useSeenActor(
  element: RefObject<Element | null>,
  entity: AppEntity,
  id: string,
): AppActor | null {
  const store = useStore();
  const actor = store.actors.of(entity, id).value;
  useEffect(() => {
    const target = element.current;
    if (actor === null || target === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const observer = new IntersectionObserver(([entry]) => {
      clearTimeout(timer);
      if (entry?.isIntersecting === true && document.visibilityState === 'visible') {
        timer = setTimeout(() => store.actors.markSeen(entity, id), seenMilliseconds);
      }
    });
    observer.observe(target);
    return () => {
      clearTimeout(timer);
      observer.disconnect();
    };
  }, [actor, entity, id, store, element]);
  return actor;
}
