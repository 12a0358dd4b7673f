import { useStore } from '../store/store-context.ts';

/** The shown tasks of a picker, by their current ids. */
export function useTargets(ids: readonly string[]) {
  const store = useStore();
  const present = ids.map((id) => store.idOf(id));
  const tasks = present.flatMap((id) => store.rows.tasks.row(id).value ?? []);
  return { ids: present, tasks, first: tasks[0] };
}
