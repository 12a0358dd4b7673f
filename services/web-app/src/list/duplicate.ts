import { newTaskFields, type TaskFields } from '#shared/app/app-protocol.ts';
import type { Store } from '../store/store.ts';
import { dialogWords } from '../words/dialog-words.ts';
import { scopeOf } from './list-state.ts';

/** Adds an open task like it, right below. Notes and checklist may have to be fetched before. */
export async function duplicate(store: Store, id: string): Promise<void> {
  const { title: name = '' } = store.rows.tasks.find(id) ?? {};
  try {
    await store.loadTexts([id]);
  } catch {
    store.notices.toast(dialogWords.needsConnection(name));
    return;
  }
  const task = store.rows.tasks.find(id);
  if (task === undefined) return;
  const { title, list, projectId, sectionId, recurrence } = task;
  const copy = {
    ...plainFieldsOf(task),
    ...{ title, projectId, sectionId, recurrence },
    ...(list !== 'project' && { list }),
    description: task.description ?? null,
    deadlineDate: store.allowsDeadlines.value ? task.deadlineDate : null,
    checklist: (task.checklist ?? []).map((item) => ({ title: item.title })),
  };
  store.commands.addTasks([copy], { id: task.id, scope: scopeOf(task.id) });
}

function plainFieldsOf(task: TaskFields): TaskFields {
  const names = Object.keys(newTaskFields) as (keyof TaskFields)[];
  return { ...newTaskFields, ...Object.fromEntries(names.map((name) => [name, task[name]])) };
}
