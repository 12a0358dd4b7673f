import { effect } from '@preact/signals';
import { location, navigate, type Route } from '../router.ts';
import type { Store } from '../store/store.ts';

/** Replaces a temporary id in the URL by the server's. */
export function keepAddress(store: Store, signal: AbortSignal): void {
  const stop = effect(() => {
    const { route, task } = location.value;
    const lasting = lastingRoute(store, route);
    const openTask = task === null ? null : (store.rows.tasks.row(task).value?.id ?? task);
    if (lasting === route && openTask === task) return;
    navigate(lasting, { task: openTask, replace: true });
  });
  signal.addEventListener('abort', stop);
}

function lastingRoute({ rows }: Store, route: Route): Route {
  if (route.screen !== 'project' && route.screen !== 'area') return route;
  const table = route.screen === 'project' ? rows.projects : rows.areas;
  const id = table.row(route.id).value?.id ?? route.id;
  return id === route.id ? route : { ...route, id };
}
