import { viewDate } from '../store/order.ts';
import type { TaskRow } from '../store/row-types.ts';
import type { Store } from '../store/store.ts';
import { commandWords } from '../words/command-words.ts';
import { type TaskActionName, taskActions } from './task-actions.ts';

/** Of a task that was closed, reopened or repeated meanwhile, they would do something else. */
const byState = new Set<TaskActionName>(['complete', 'skip', 'cancel']);

/** The action on these tasks, to be chosen later: what others closed, reopened or repeated by then stays. */
export function actionAsShown(store: Store, action: TaskActionName, tasks: readonly TaskRow[]): () => void {
  const isSame = (task: TaskRow) => stateOf(task) === stateOf(store.rows.tasks.find(task.id));
  return () => {
    const present = byState.has(action) ? tasks.filter(isSame) : tasks;
    if (present.length === 0) store.notices.toast(commandWords.changedMeanwhile);
    else
      taskActions[action].run(
        store,
        present.map(({ id }) => store.idOf(id)),
      );
  };
}

function stateOf(task: TaskRow | undefined): string {
  return `${task?.status} ${task?.recurrence && viewDate(task)}`;
}
