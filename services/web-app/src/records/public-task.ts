import type { AppTask } from '#shared/app/app-protocol.ts';
import type { TaskRow } from '../store/row-types.ts';

/** A task as the public API sends it. */
export type PublicTask = Omit<
  AppTask,
  'hasNotes' | 'checklistTotal' | 'checklistDone' | 'rank' | 'dayRank'
> & {
  description: string | null;
  descriptionHtml: string;
  checklist: { id: string; title: string; completed: boolean }[];
};

/** Its row, without a place: what is closed has none in a list. */
export function taskRowOf(task: PublicTask): TaskRow {
  return {
    ...task,
    hasNotes: (task.description ?? '') !== '',
    checklistTotal: task.checklist.length,
    checklistDone: task.checklist.filter(({ completed }) => completed).length,
    rank: 0,
    dayRank: null,
    textsAt: task.updatedAt,
  };
}
