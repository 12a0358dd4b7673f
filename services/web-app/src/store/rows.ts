import { batch } from '@preact/signals';
import type { AppEntity } from '#shared/app/app-protocol.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { RowTable } from './row-table.ts';
import type { AreaRow, ProjectRow, RowChange, RowKey, RowOf, SectionRow, TaskRow } from './row-types.ts';

/** The account's rows in memory. */
export class Rows {
  readonly tasks = new RowTable<TaskRow>();
  readonly projects = new RowTable<ProjectRow>();
  readonly sections = new RowTable<SectionRow>();
  readonly areas = new RowTable<AreaRow>();
  readonly #tables = { task: this.tasks, project: this.projects, section: this.sections, area: this.areas };

  /** Shows these rows as the server sent them, with the records on top. */
  refresh(keys: Iterable<RowKey>, records: readonly OutboxRecord[]): void {
    const changes = records.flatMap((record) => record.changes);
    const byRow = Map.groupBy(changes, keyText);
    batch(() => {
      for (const key of keys) this.#show(key, byRow.get(keyText(key)) ?? []);
    });
  }

  #show({ entity, id }: RowKey, changes: readonly RowChange[]): void {
    if (entity === 'task') this.tasks.show(id, ofEntity('task', changes));
    else if (entity === 'project') this.projects.show(id, ofEntity('project', changes));
    else if (entity === 'section') this.sections.show(id, ofEntity('section', changes));
    else this.areas.show(id, ofEntity('area', changes));
  }

  /** What was made here has its id of the server. */
  rename(temporaryId: string, id: string): void {
    for (const table of Object.values(this.#tables)) table.rename(temporaryId, id);
  }

  table(
    entity: AppEntity,
  ): RowTable<TaskRow> | RowTable<ProjectRow> | RowTable<SectionRow> | RowTable<AreaRow> {
    return this.#tables[entity];
  }
}

export function keyText({ entity, id }: RowKey): string {
  return `${entity}:${id}`;
}

function ofEntity<E extends keyof RowOf>(
  entity: E,
  changes: readonly RowChange[],
): (Partial<RowOf[E]> | 'gone')[] {
  const isOfEntity = (
    change: RowChange,
  ): change is Extract<RowChange, { set: unknown }> & { set: Partial<RowOf[E]> } =>
    'set' in change && change.entity === entity;
  return changes.map((change) => (isOfEntity(change) ? change.set : 'gone'));
}
