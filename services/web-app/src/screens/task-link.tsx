import { useEffect } from 'preact/hooks';
import { navigate, type Route } from '../router.ts';
import { viewDate } from '../store/order.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { useStore } from '../store/store-context.ts';

export function TaskLink({ id }: { id: string }) {
  const store = useStore();
  const task = store.rows.tasks.row(id).value;
  useEffect(() => {
    navigate(task === undefined ? { screen: 'today' } : routeOf(task, store), { task: id, replace: true });
  }, []);
  return null;
}

/** The list that shows it. */
function routeOf(task: TaskRow, { today }: Store): Route {
  const { list, projectId } = task;
  const date = viewDate(task);
  if (projectId !== null) return { screen: 'project', id: projectId };
  if (date !== null) return { screen: date <= today.value ? 'today' : 'upcoming' };
  return { screen: list === 'inbox' ? 'inbox' : 'someday' };
}
