import { commandWords } from '../words/command-words.ts';
import { type RowLists, rowBatch } from './batch.ts';
import { viewDate } from './order.ts';
import { changedIds, type Outbox, type Rename, touchedIds } from './outbox.ts';
import { hasProject, isPassed, type OutboxRecord, type Refused } from './outbox-record.ts';
import { readRow } from './public-rows.ts';
import type { TaskRow } from './row-types.ts';
import type { Rows } from './rows.ts';
import type { RefusedVerdict } from './verdict.ts';

type Fields = Readonly<Record<string, unknown>>;

type Parts = {
  rows: Rows;
  outbox: Outbox;
  applyRows(batch: ReturnType<typeof rowBatch>): Promise<void>;
  pull(): Promise<void>;
  rename(renames: readonly Rename[]): Promise<void>;
  conclude(record: OutboxRecord, body?: unknown): Promise<void>;
};

export function createSendOutcomes(parts: Parts) {
  const { rows, outbox } = parts;

  /** `updatedAt` of the server's row with the texts of the local copy; empty if there is none. */
  function versionOf({ row: { entity, id } }: OutboxRecord): string {
    return rows.tasks.server.get(id)?.textsAt ?? rows.table(entity).server.get(id)?.updatedAt ?? '';
  }

  async function accept(record: OutboxRecord, sent: Fields | null, body: unknown): Promise<void> {
    const { row, creates } = record;
    const lists = readRow(rows, row, body);
    const renames = renamesOf(record, sent, lists);
    if (renames.length > 0) await parts.rename(renames);
    if (lists !== undefined) await parts.applyRows(rowBatch(lists));
    const isWhole = lists !== undefined && changedIds(record).every((id) => id === row.id);
    // Other changed rows arrive with the feed; until then the record shows them and is sent again if needed.
    if (!isWhole && !creates) await parts.pull();
    await parts.conclude(record, body);
  }

  /** The row is as wanted: made so by others, or by an earlier attempt whose response was lost. */
  function leave(record: OutboxRecord): Promise<void> {
    return record.sentAt === null ? outbox.remove([record.n]) : parts.conclude(record);
  }

  /** Records inside a row whose creation was refused are refused, too. */
  function dependentsOf(record: OutboxRecord): OutboxRecord[] {
    return outbox.records.value.filter((other) => other.n > record.n && touchedIds(other).has(record.row.id));
  }

  /** The reason, as a message of the app: the destination or occurrence no longer exists. */
  function reasonOf(record: OutboxRecord, { kind }: RefusedVerdict): string | null {
    const { body, creates } = record;
    if (isPassed(record, rows.tasks.server.get(record.row.id))) return commandWords.onAnotherDay;
    const project = rows.projects.server.get(String(body?.projectId));
    if (project?.inTrash) return commandWords.projectInTrash(project.title);
    return kind === 'gone' && creates && hasProject(body) ? commandWords.placeGone : null;
  }

  return {
    versionOf,
    accept,
    pull: parts.pull,

    async refuse(record: OutboxRecord, verdict: RefusedVerdict, requestId: string | null): Promise<void> {
      const refused = (): Refused => ({
        ...verdict,
        message: reasonOf(record, verdict) ?? verdict.message,
        requestId,
      });
      const dependents = record.creates ? dependentsOf(record) : [];
      if (verdict.kind === 'limit') {
        return outbox.refuse([record], refused(), dependents.length > 0 ? 'plan' : null);
      }
      // The feed waits for responses to creations, so these must not wait for the feed.
      if (verdict.kind !== 'invalid' && !record.creates) {
        await parts.pull();
        if (isReached(record, rows)) return leave(record);
      }
      await outbox.refuse([record, ...dependents], refused());
    },
  };
}

/** The occurrence was completed elsewhere: the logged task has its title and date. */
function isLogged({ path, body, title }: OutboxRecord, rows: Rows): boolean {
  const isOfOccurrence = (task: TaskRow) =>
    task.status === 'completed' && task.title === title && viewDate(task) === body?.occurrence;
  return path.endsWith('/complete') && [...rows.tasks.server.values()].some(isOfOccurrence);
}

/** The server's row already has the record's result; for a repeating task, the occurrence is completed. */
function isReached(record: OutboxRecord, rows: Rows): boolean {
  if (isPassed(record, rows.tasks.server.get(record.row.id))) return isLogged(record, rows);
  const { row, changes, creates } = record;
  const change = changes.find((each) => each.id === row.id);
  const server = rows.table(row.entity).server.get(row.id);
  if (creates || change === undefined) return false;
  if ('gone' in change) return server === undefined;
  if (server === undefined) return false;
  const present: Fields = server;
  const states = Object.entries(change.set).filter(([field]) => field === 'status' || field === 'inTrash');
  return states.length > 0 && states.every(([field, value]) => present[field] === value);
}

/** The ids of the row and its checklist items, which are in the order sent. */
function renamesOf(
  record: OutboxRecord,
  sent: Fields | null,
  lists: Partial<RowLists> | undefined,
): Rename[] {
  if (lists === undefined) return [];
  const [row] = Object.values(lists).flat();
  const renames: Rename[] = [];
  if (record.creates && row !== undefined) renames.push([record.row.id, row.id]);
  const items = Array.isArray(sent?.checklist) ? sent.checklist : [];
  (lists.tasks?.[0]?.checklist ?? []).forEach((item, place) => {
    const id: unknown = items[place]?.id;
    if (typeof id === 'string' && id !== item.id) renames.push([id, item.id]);
  });
  return renames;
}
