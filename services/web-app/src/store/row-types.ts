import type {
  AppArea,
  AppChecklistItem,
  AppEntity,
  AppProject,
  AppSection,
  AppTask,
} from '#shared/app/app-protocol.ts';

/** Number of the rows' format: raise it when a row gets a field, so that stored copies are replaced by a snapshot. */
export const rowFormat = 2;

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
