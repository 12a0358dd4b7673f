import { type Signal, signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { useEffect } from 'preact/hooks';
import { useStore } from '../store/store-context.ts';

const pending: (() => Promise<void>)[] = [];

/** A component in a chunk of its own, which comes when it is first shown, or before when the page is idle. */
export function lazyComponent<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  onFailure: string,
): ComponentType<Props> {
  const loaded: Signal<ComponentType<Props> | null> = signal(null);
  const fetch = async () => {
    loaded.value ??= await load();
  };
  pending.push(fetch);
  return function Lazy(props: Props) {
    const store = useStore();
    useEffect(() => {
      fetch().catch(() => store.notices.toast(onFailure));
    }, []);
    const Component = loaded.value;
    return Component === null ? null : <Component {...props} />;
  };
}

/** What is fetched while nothing else is to be done; what fails is asked for again when it is shown. */
export async function loadWhenIdle(): Promise<void> {
  for (const fetch of pending) await fetch().catch(() => undefined);
}
