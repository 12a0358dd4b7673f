import type { AppEntity } from '#shared/app/app-protocol.ts';
import { commandWords, type ToastText } from '../words/command-words.ts';
import type { CommandContext } from './command-context.ts';
import type { RecordDraft } from './outbox-record.ts';
import { type RowChange, type RowOf, setFields } from './row-types.ts';

type Body = Record<string, unknown> | null;
export type Request = { method: RecordDraft['method']; path: string; body: Body };

export const post = (path: string, body: Body = null): Request => ({ method: 'POST', path, body });
export const patch = (path: string, body: Body): Request => ({ method: 'PATCH', path, body });
export const remove = (path: string): Request => ({ method: 'DELETE', path, body: null });

/** A record that creates a row, with a temporary id. */
export function draftNew<E extends AppEntity>(entity: E, row: RowOf[E], request: Request): RecordDraft {
  const { id, title } = row;
  return { ...request, row: { entity, id }, creates: true, title, changes: [setFields(entity, id, row)] };
}

/** Adds a row; returns its temporary id. */
export function addRow<E extends AppEntity>(
  context: CommandContext,
  entity: E,
  path: string,
  body: { title: string },
  rowOf: (id: string, at: string) => RowOf[E],
): string {
  const id = crypto.randomUUID();
  context.run(() => {
    const row = rowOf(id, context.now().toISOString());
    return { drafts: [draftNew(entity, row, post(path, body))], toast: commandWords.added([body.title]) };
  });
  return id;
}

/** A record that changes one row, and shows changes of `others`. */
export function draftWrite<E extends AppEntity>(
  entity: E,
  row: RowOf[E],
  set: Partial<RowOf[E]> | 'gone',
  request: Request,
  others: readonly RowChange[] = [],
): RecordDraft {
  const { id, title } = row;
  const values = new Map<string, unknown>(Object.entries(row));
  const fields = Object.keys(request.body ?? {}).filter((field) => values.has(field));
  const change: RowChange = set === 'gone' ? { entity, id, gone: true } : setFields(entity, id, set);
  return {
    ...request,
    row: { entity, id },
    title,
    base: Object.fromEntries(fields.map((field) => [field, values.get(field)])),
    changes: [change, ...others],
  };
}

type Write<E extends AppEntity> = (
  set: Partial<RowOf[E]> | 'gone',
  request: Request,
  others?: readonly RowChange[],
) => RecordDraft;

/** Commands on one shown row of a kind; they do nothing if it is gone. */
export function rowCommands<E extends AppEntity>(context: CommandContext, entity: E) {
  return (
    id: string,
    build: (write: Write<E>, row: RowOf[E]) => RecordDraft | RecordDraft[],
    toast: (titles: string[]) => ToastText | null = () => null,
  ): void => {
    context.run(() => {
      const row = context.rows.table(entity).find(id);
      if (row === undefined) return { drafts: [], toast: null };
      const write: Write<E> = (...change) => draftWrite(entity, row, ...change);
      return { drafts: [build(write, row)].flat(), toast: toast([row.title]) };
    });
  };
}
