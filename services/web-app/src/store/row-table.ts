import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Rows of one kind, as sent by the server and as shown with the outbox's changes. */
export class RowTable<Row extends { id: string }> {
  readonly server = new Map<string, Row>();
  readonly shown = new Map<string, Row>();
  readonly #signals = new Map<string, Signal<Row | undefined>>();
  readonly #ids = new Map<string, string>();
  /** Changes with every change of a shown row; lists depend on it. */
  readonly revision = signal(0);

  row(anyId: string): ReadonlySignal<Row | undefined> {
    const id = this.#ids.get(anyId) ?? anyId;
    const known = this.#signals.get(id);
    if (known !== undefined) return known;
    const made = signal(this.shown.get(id));
    this.#signals.set(id, made);
    return made;
  }

  /** The shown row, also by its former temporary id. */
  find(id: string): Row | undefined {
    return this.shown.get(this.#ids.get(id) ?? id);
  }

  /** All shown rows; a computed that calls this is updated on every change. */
  all(): Row[] {
    this.revision.value;
    return [...this.shown.values()];
  }

  show(id: string, changes: readonly (Partial<Row> | 'gone')[]): void {
    const next = overlay(this.server.get(id), changes);
    const former = this.shown.get(id);
    if (former && next ? JSON.stringify(former) === JSON.stringify(next) : former === next) return;
    if (next === undefined) this.shown.delete(id);
    else this.shown.set(id, next);
    const known = this.#signals.get(id);
    if (known !== undefined) known.value = next;
    this.revision.value += 1;
  }

  /** Renames a row from its temporary id to the server's; both ids find it. */
  rename(temporaryId: string, id: string): void {
    const known = this.#signals.get(temporaryId);
    this.#ids.set(temporaryId, id);
    if (known !== undefined) this.#signals.set(id, known);
    this.server.delete(temporaryId);
    this.shown.delete(temporaryId);
  }
}

function overlay<Row extends { id: string }>(
  server: Row | undefined,
  changes: readonly (Partial<Row> | 'gone')[],
): Row | undefined {
  let row = server;
  for (const change of changes) {
    if (change === 'gone') row = undefined;
    else if (row !== undefined) row = { ...row, ...change };
    else if (isWhole(change)) row = change;
  }
  return row;
}

/** A record that creates a row sets its id; one that changes a row does not. */
function isWhole<Row extends { id: string }>(change: Partial<Row>): change is Row {
  return change.id !== undefined;
}
