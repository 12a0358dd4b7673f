import type { Attributed } from '../history/present-change.ts';
import type { Session } from '../session.ts';
import { describeChange } from './describe-change.ts';
import { findPlaceNames } from './place-names.ts';

/** A sentence for each change, in their order. */
export async function describeChanges(session: Session, changes: readonly Attributed[]): Promise<string[]> {
  const fields = changes.flatMap(({ change }) => change.fields);
  const names = await findPlaceNames(
    session,
    fields.filter(({ field }) => field.endsWith('Id')).flatMap(({ before, after }) => [before, after]),
  );
  return changes.map(({ change, day }) => describeChange(change, { today: session.today, names, day }));
}
