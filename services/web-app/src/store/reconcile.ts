import { mergeChecklists } from './merge.ts';
import { isChecklist } from './row-types.ts';

type Fields = Readonly<Record<string, unknown>>;

export type Reconciled = {
  /** What is still to be sent. */
  body: Record<string, unknown>;
  /** The server's notes, if both sides changed them. */
  theirs: string | null;
  /** Fields changed by others after our write may have arrived: theirs are kept. */
  dropped: string[];
};

/**
 * Compares a PATCH with the server's current row. `isUnknown`: an earlier attempt may have arrived, so a
 * field with our value was sent. Otherwise the later commit wins; for notes the user is asked, checklists are
 * merged.
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

/** The server's value differs from the one that the change was based on. */
function resolve(result: Reconciled, field: string, versions: Versions): void {
  const { before, mine, present, isUnknown } = versions;
  if (field === 'checklist' && isChecklist(before) && isChecklist(mine) && isChecklist(present)) {
    const merged = mergeChecklists(before, mine, present);
    if (!isEqual(merged, present)) result.body.checklist = merged;
  } else if (field === 'description') {
    if (!isEqual(mine, present)) result.theirs = typeof present === 'string' ? present : '';
  } else if (isUnknown) {
    if (!isSameRule(mine, present)) result.dropped.push(field);
  } else {
    result.body[field] = mine;
  }
}

/** Of a repeat, in whose rule the service fills in what was left empty. */
function isSameRule(mine: unknown, present: unknown): boolean {
  const isIn = ([name, value]: [string, unknown]) =>
    ['', String(Object(present)[name])].includes(String(value ?? ''));
  return mine instanceof Object && Object.entries(mine).every(isIn);
}

/** Empty notes equal absent ones. */
function isEqual(a: unknown, b: unknown): boolean {
  return JSON.stringify(a === '' ? null : a) === JSON.stringify(b === '' ? null : b);
}
