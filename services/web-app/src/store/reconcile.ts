import { mergeChecklists } from './merge.ts';
import { isChecklist } from './row-types.ts';

type Fields = Readonly<Record<string, unknown>>;

export type Reconciled = {
  /** What is still to be sent. */
  body: Record<string, unknown>;
  /** The server's notes, when they were changed on both sides. */
  theirs: string | null;
  /** Changed by others after our write may have arrived: theirs stay. */
  dropped: string[];
};

/**
 * A PATCH against the server's row as it is now. `isUnknown`: an earlier try may have arrived, so a field that has our
 * value was sent. Otherwise the later commit wins, except for notes, where the user is asked, and checklists.
 */
export function reconcile(body: Fields, base: Fields, server: Fields, isUnknown: boolean): Reconciled {
  const result: Reconciled = { body: {}, theirs: null, dropped: [] };
  for (const [field, mine] of Object.entries(body)) {
    const [before, present] = [base[field], server[field]];
    if (isUnknown && isEqual(mine, present)) continue;
    const isChanged = present !== undefined && before !== undefined && !isEqual(before, present);
    if (isChanged) resolve(result, field, { before, mine, present, isUnknown });
    else result.body[field] = mine;
  }
  return result;
}

type Versions = { before: unknown; mine: unknown; present: unknown; isUnknown: boolean };

/** The server has another value than the one that this change was made on. */
function resolve(result: Reconciled, field: string, versions: Versions): void {
  const { before, mine, present, isUnknown } = versions;
  if (field === 'checklist' && isChecklist(before) && isChecklist(mine) && isChecklist(present)) {
    const merged = mergeChecklists(before, mine, present);
    if (!isEqual(merged, present)) result.body.checklist = merged;
  } else if (field === 'description') {
    if (!isEqual(mine, present)) result.theirs = typeof present === 'string' ? present : '';
  } else if (isUnknown) {
    result.dropped.push(field);
  } else {
    result.body[field] = mine;
  }
}

/** Empty notes are no notes. */
function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a === '' ? null : a) === JSON.stringify(b === '' ? null : b);
}
