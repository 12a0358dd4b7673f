import { batch } from '@preact/signals';
import type { AppEntity } from '#shared/app/app-protocol.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { RowTable } from './row-table.ts';
import type { AreaRow, ProjectRow, RowKey, RowOf, SectionRow, TaskRow } from './row-types.ts';

/** The account's rows in memory. */
export class Rows {
  readonly tasks = new RowTable<TaskRow>();
  readonly projects = new RowTable<ProjectRow>();
  readonly sections = new RowTable<SectionRow>();
  readonly areas = new RowTable<AreaRow>();
  readonly #tables: { [E in AppEntity]: RowTable<RowOf[E]> } = {
    task: this.tasks,
    project: this.projects,
    section: this.sections,
    area: this.areas,
  };

  /** Shows these rows as sent by the server, with the records' changes. */
  refresh(keys: Iterable<RowKey>, records: readonly OutboxRecord[]): void {
    const changes = records.flatMap((record) => record.changes);
    const byRow = Map.groupBy(changes, keyText);
    batch(() => {
      for (const key of keys) {
        const ofRow = byRow.get(keyText(key)) ?? [];
        this.table(key.entity).show(
          key.id,
          ofRow.map((change) => ('set' in change ? change.set : 'gone')),
        );
      }
    });
  }

  /** Replaces temporary ids by the server's. */
  rename(temporaryId: string, id: string): void {
    for (const table of Object.values(this.#tables)) table.rename(temporaryId, id);
  }

  table<E extends AppEntity>(entity: E): RowTable<RowOf[E]> {
    return this.#tables[entity];
  }
}

export function keyText({ entity, id }: RowKey): string {
  return `${entity}:${id}`;
}
