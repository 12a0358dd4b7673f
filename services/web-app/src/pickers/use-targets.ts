import type { TaskRow } from '../store/row-types.ts';
import { useStore } from '../store/store-context.ts';

/** The shown tasks that a picker is for, under the ids that they have now. */
export function useTargets(ids: readonly string[]): {
  ids: string[];
  tasks: TaskRow[];
  first: TaskRow | undefined;
} {
  const store = useStore();
  const present = ids.map((id) => store.idOf(id));
  const tasks = present.flatMap((id) => store.rows.tasks.row(id).value ?? []);
  return { ids: present, tasks, first: tasks[0] };
}
