import { useEffect } from 'preact/hooks';
import { navigate, type Route } from '../router.ts';
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
function routeOf({ list, projectId, dueDate }: TaskRow, { today }: Store): Route {
  if (projectId !== null) return { screen: 'project', id: projectId };
  if (dueDate !== null) return { screen: dueDate <= today.value ? 'today' : 'upcoming' };
  return { screen: list === 'inbox' ? 'inbox' : 'someday' };
}
