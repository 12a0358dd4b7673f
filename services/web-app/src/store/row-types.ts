import {
  type AppArea,
  type AppChecklistItem,
  type AppEntity,
  type AppProject,
  type AppSection,
  type AppTask,
  newTaskFields,
} from '#shared/app/app-protocol.ts';

/** Version of stored rows; others are replaced by a snapshot. Raise it when rows get another field. */
export const rowFormat = `2 ${Object.keys(newTaskFields).join(' ')}`;

/** A task. Its texts are present after it was opened, or fetched when idle. */
export type TaskRow = AppTask & {
  description?: string | null;
  /** null while the server has not rendered local notes. */
  descriptionHtml?: string | null;
  checklist?: AppChecklistItem[];
  /** `updatedAt` of the task when its texts were fetched: older than `updatedAt` means stale. */
  textsAt?: string;
};

export function isOpenTask({ status, inTrash }: TaskRow): boolean {
  return status === 'open' && !inTrash;
}

/** Completed or cancelled, and not in the Trash. */
export function isClosedTask({ status, inTrash }: Pick<TaskRow, 'status' | 'inTrash'>): boolean {
  return status !== 'open' && !inTrash;
}

/** Corrects counts of closed tasks, by project, where `after` replaces `before`. */
export function recountClosed(
  counts: Record<string, number>,
  before: TaskRow | undefined,
  after: TaskRow,
): void {
  for (const [task, step] of [
    [before, -1],
    [after, 1],
  ] as const)
    if (task?.projectId && isClosedTask(task)) counts[task.projectId] = (counts[task.projectId] ?? 0) + step;
}

/** When it was completed or cancelled. */
export function closedAt(row: Pick<TaskRow, 'completedAt' | 'cancelledAt'>): string | null {
  return row.completedAt ?? row.cancelledAt;
}

export function isChecklist(value: unknown): value is AppChecklistItem[] {
  return Array.isArray(value);
}

export type ProjectRow = AppProject;
export type SectionRow = AppSection;
export type AreaRow = AppArea;

export type RowOf = { task: TaskRow; project: ProjectRow; section: SectionRow; area: AreaRow };
export type RowKey = { entity: AppEntity; id: string };

/** The change of shown rows by a record: fields of a row, a new row, or a deletion. */
export type RowChange =
  | { [E in AppEntity]: { entity: E; id: string; set: Partial<RowOf[E]> } }[AppEntity]
  | { entity: AppEntity; id: string; gone: true };

/** The compiler cannot infer that `set` has fields of this kind of row. */
export function setFields<E extends AppEntity>(entity: E, id: string, set: Partial<RowOf[E]>): RowChange {
  return { entity, id, set } as RowChange;
}
