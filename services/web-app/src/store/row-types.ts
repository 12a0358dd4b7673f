import {
  type AppArea,
  type AppChecklistItem,
  type AppEntity,
  type AppProject,
  type AppSection,
  type AppTask,
  newTaskFields,
} from '#shared/app/app-protocol.ts';

/** Stored copies of another one are replaced by a snapshot. Raise the number when a row gets a field by other means. */
export const rowFormat = `2 ${Object.keys(newTaskFields).join(' ')}`;

/** A task; its texts are there once it was opened, or fetched when idle. */
export type TaskRow = AppTask & {
  description?: string | null;
  /** Null while notes of this device wait for the server's rendering. */
  descriptionHtml?: string | null;
  checklist?: AppChecklistItem[];
  /** `updatedAt` of the task when its texts were fetched: older than `updatedAt` means stale. */
  textsAt?: string;
};

export function isOpenTask({ status, inTrash }: TaskRow): boolean {
  return status === 'open' && !inTrash;
}

export function isChecklist(value: unknown): value is AppChecklistItem[] {
  return Array.isArray(value);
}

export type ProjectRow = AppProject;
export type SectionRow = AppSection;
export type AreaRow = AppArea;

export type RowOf = { task: TaskRow; project: ProjectRow; section: SectionRow; area: AreaRow };
export type RowKey = { entity: AppEntity; id: string };

/** What a record of the outbox changes on the screen: fields of a row, a whole new row, or a row that goes. */
export type RowChange =
  | { [E in AppEntity]: { entity: E; id: string; set: Partial<RowOf[E]> } }[AppEntity]
  | { entity: AppEntity; id: string; gone: true };

/** The compiler does not see that `set` has fields of a row of this kind. */
export function setFields<E extends AppEntity>(entity: E, id: string, set: Partial<RowOf[E]>): RowChange {
  return { entity, id, set } as RowChange;
}
