import { randomUUID } from 'node:crypto';
import { isUuid } from '#shared/validation/fields.ts';

export type ChecklistItem = { id: string; title: string; completed: boolean };
type ChecklistInput = { id?: string | undefined; title: string; completed?: boolean | undefined };

/**
 * Replaces `current` as a whole: a known id keeps its identity; any other entry, including a repeated id,
 * gets a new one. An omitted tick is not set.
 */
export function replaceChecklist(
  current: readonly ChecklistItem[],
  wanted: readonly ChecklistInput[],
): ChecklistItem[] {
  const unclaimed = new Map(current.map((item) => [item.id, item]));
  return wanted.map(({ id, title, completed }) => {
    const known = id !== undefined && isUuid(id) ? unclaimed.get(id.toLowerCase()) : undefined;
    if (known !== undefined) unclaimed.delete(known.id);
    return { id: known?.id ?? randomUUID(), title, completed: completed ?? false };
  });
}

/** The items of a series' next occurrence. */
export function untick(items: readonly ChecklistItem[]): ChecklistItem[] {
  return items.map((item) => ({ ...item, completed: false }));
}
