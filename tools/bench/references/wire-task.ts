/** A row of tasks.task as `pg` and MikroORM read it: timestamps are Dates in both, whatever the entity's type says; dates are texts. */
export type TaskRow = {
  id: string;
  title: string;
  description?: string | null;
  descriptionHtml: string;
  status: string;
  list: string;
  projectId?: string | null;
  sectionId?: string | null;
  dueDate?: string | null;
  deadlineDate?: string | null;
  reminderTime?: string | null;
  recurrence?: object | null;
  checklist: readonly object[];
  trashedAt?: Date | string | null;
  completedAt?: Date | string | null;
  cancelledAt?: Date | string | null;
  createdAt: Date | string;
  updatedAt: Date | string;
};

const toIso = (timestamp: Date | string | null | undefined): string | null =>
  timestamp == null ? null : new Date(timestamp).toISOString();

/** The API's own shape, so that every server that is compared sends the same bytes for the same row. */
export function toWireTask(row: TaskRow) {
  const inTrash = row.trashedAt != null;
  return {
    id: row.id,
    title: row.title,
    description: row.description ?? null,
    descriptionHtml: row.descriptionHtml,
    status: row.status,
    list: row.list,
    projectId: row.projectId ?? null,
    sectionId: row.sectionId ?? null,
    dueDate: row.dueDate ?? null,
    deadlineDate: row.deadlineDate ?? null,
    reminderTime: row.reminderTime ?? null,
    recurrence: row.recurrence ?? null,
    checklist: row.checklist,
    inTrash,
    inLogbook: row.status !== 'open' && !inTrash,
    completedAt: toIso(row.completedAt),
    cancelledAt: toIso(row.cancelledAt),
    createdAt: toIso(row.createdAt),
    updatedAt: toIso(row.updatedAt),
  };
}

/** `rows` holds one more than the page when there is another page. */
export function toWirePage(rows: readonly TaskRow[], size: number) {
  const shown = rows.slice(0, size);
  const last = rows.length > size ? shown.at(-1) : undefined;
  const nextCursor =
    last === undefined ? null : Buffer.from(JSON.stringify([last.createdAt, last.id])).toString('base64url');
  return { items: shown.map(toWireTask), nextCursor, hasMore: nextCursor !== null };
}
