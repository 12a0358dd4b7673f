import type { AppEntity } from '#shared/app/app-protocol.ts';
import { byProperty } from '../database/entity-rows.ts';
import type { Tables } from '../database/tasks-database.ts';
import type { Rendering } from '../notes/notes-renderer.ts';
import type { WriteSession } from '../session.ts';
import type { Values } from './record-change.ts';

/** HTML of the notes to be restored, by their Markdown; rendered before the account's lock is taken. */
export type Renderings = ReadonlyMap<string, Rendering>;

const tableOf = { task: 'Task', project: 'Project', section: 'Section', area: 'Area' } as const;
/** Within the time limit of a statement. */
const rowsPerStatement = 500;

/** Writes the same values and the transaction's timestamp to these rows. */
export function updateRows(
  { account, change, changedAt, tables }: WriteSession,
  entity: AppEntity,
  ids: readonly string[],
  values: Values,
  renderings: Renderings,
): void {
  for (let first = 0; first < ids.length; first += rowsPerStatement) {
    void change(
      tables
        .updateTable(tableOf[entity])
        .set(toRow(entity, { ...values, updated_at: changedAt }, renderings))
        .where('accountId', '=', account.id)
        .where('id', 'in', ids.slice(first, first + rowsPerStatement)),
    );
  }
}

/** Inserts a deleted row again, with its id. */
export function restoreRow(
  { account, change, changedAt, tables }: WriteSession,
  entity: AppEntity,
  id: string,
  values: Values,
  renderings: Renderings,
): void {
  const row = toRow(entity, { ...values, account_id: account.id, id, updated_at: changedAt }, renderings);
  void change(tables.insertInto(tableOf[entity]).values(row as Tables['Task']));
}

function toRow(entity: AppEntity, values: Values, renderings: Renderings): Partial<Tables['Task']> {
  if (!('description' in values)) return byProperty(values);
  const { description } = values;
  const rendering = typeof description === 'string' ? renderings.get(description) : renderings.get('');
  if (rendering === undefined) throw new Error(`notes of a ${entity} were not rendered before the undo`);
  return byProperty({
    ...values,
    description_html: rendering.html,
    renderer_version: rendering.version,
  });
}
