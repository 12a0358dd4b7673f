import type { Queryable, Transaction } from '#shared/database/database.ts';
import { invalidState } from '#shared/errors/errors.ts';
import { notesBytes, taskBytes, withinPageBytes } from '../database/page-size-limit.ts';
import { openSnapshot, type TasksDatabase } from '../database/tasks-database.ts';
import { taskLists } from '../tasks/task-entity.ts';
import { type FileCounts, fileFormat, fileVersion, shownColumns } from './file-format.ts';

export type AccountExport = {
  counts: FileCounts;
  /** The file, read from the database as fast as the client reads it. */
  pieces: AsyncIterable<string>;
};

const rowsPerPage = 500;
/** A client that reads nothing for this long is disconnected. */
const stalledMilliseconds = 30_000;
const statementMilliseconds = 60_000;

/**
 * Reads everything of an account in one snapshot. Throws invalid_state while another export of the account
 * runs in any process. `profile`: the part that auth-server has.
 */
export function exportAccount<Result>(
  database: TasksDatabase,
  accountId: string,
  { profile, now }: { profile: unknown; now: Date },
  send: (file: AccountExport) => Promise<Result>,
): Promise<Result> {
  const work = async (transaction: Transaction): Promise<Result> => {
    await openSnapshotFor(transaction, accountId);
    const counts = await countRows(transaction, accountId);
    const head = { format: fileFormat, version: fileVersion, exportedAt: now.toISOString(), counts };
    const pieces = writeFile(transaction, accountId, { ...head, account: profile });
    return send({ counts, pieces });
  };
  return database.transaction(openSnapshot, work, stalledMilliseconds + 5_000);
}

async function openSnapshotFor(db: Queryable, accountId: string): Promise<void> {
  const { rows } = await db.query<{ isFirst: boolean }>({
    text: `select pg_try_advisory_xact_lock(hashtextextended('export ' || $1, 0)) as "isFirst",
      set_config('idle_in_transaction_session_timeout', $2, true), set_config('statement_timeout', $3, true)`,
    values: [accountId, String(stalledMilliseconds), String(statementMilliseconds)],
  });
  if (rows[0]?.isFirst !== true) throw invalidState('An export of this account is running already.');
}

async function countRows(db: Queryable, accountId: string): Promise<FileCounts> {
  const countOf = (table: string) => `(select count(*) from tasks.${table} where account_id = $1)`;
  const { rows } = await db.query<FileCounts>({
    text: `select ${countOf('area')} as areas, ${countOf('project')} as projects,
      ${countOf('section')} as sections, ${countOf('task')} as tasks`,
    values: [accountId],
  });
  return rows[0] ?? { areas: 0, projects: 0, sections: 0, tasks: 0 };
}

async function* writeFile(transaction: Transaction, accountId: string, head: object): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},\n`;
  yield* writeList('areas', readAreas(transaction, accountId));
  yield ',\n';
  yield* writeList('projects', readProjects(transaction, accountId));
  yield ',\n';
  yield* writeList('tasks', readTasks(transaction, accountId));
  yield '}\n';
}

async function* writeList(name: string, pages: AsyncIterable<readonly object[]>): AsyncGenerator<string> {
  let separator = '\n';
  yield `"${name}":[`;
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield separator + page.map((record) => JSON.stringify(record)).join(',\n');
    separator = ',\n';
  }
  yield '\n]';
}

type Ranked = { id: string; rank: number; hasMore: boolean };

/** Lists are written in their order: `rank, id`. */
async function* readPages<Row extends Ranked>(
  { query, renew }: Transaction,
  columns: string,
  from: string,
  { bytes, values }: { bytes: string; values: unknown[] },
): AsyncGenerator<Omit<Row, 'rank' | 'hasMore'>[]> {
  const after: unknown[] = [null, null];
  const [rank, id] = [values.length + 1, values.length + 2];
  const page = `select * from ${from} and ($${rank}::bigint is null or (rank, id) > ($${rank}, $${id}::uuid))
    order by rank, id limit ${rowsPerPage + 1}`;
  const text = `select ${columns}, rank, has_more as "hasMore"
    from (${withinPageBytes(page, 'rank, id', bytes)}) page order by rank, id limit ${rowsPerPage}`;
  for (let hasMore = true; hasMore; ) {
    renew();
    const { rows } = await query<Row>({ text, values: [...values, ...after] });
    const last = rows.at(-1);
    hasMore = last?.hasMore === true;
    after.splice(0, 2, last?.rank, last?.id);
    yield rows.map(({ rank: _rank, hasMore: _hasMore, ...row }) => row);
  }
}

function readAreas(transaction: Transaction, accountId: string) {
  const options = { bytes: 'octet_length(title)', values: [accountId] };
  return readPages(transaction, shownColumns('area'), 'tasks.area where account_id = $1', options);
}

async function* readProjects(transaction: Transaction, accountId: string): AsyncGenerator<object[]> {
  const options = { bytes: notesBytes, values: [accountId] };
  const from = 'tasks.project where account_id = $1';
  for await (const page of readPages(transaction, shownColumns('project'), from, options)) {
    const { rows } = await transaction.query<{ projectId: string }>({
      text: `select ${shownColumns('section')} from tasks.section
        where account_id = $1 and project_id = any($2::uuid[]) order by position`,
      values: [accountId, page.map(({ id }) => id)],
    });
    const sections = Map.groupBy(rows, ({ projectId }) => projectId);
    yield page.map((project) => ({
      ...project,
      sections: (sections.get(project.id) ?? []).map(({ projectId: _projectId, ...section }) => section),
    }));
  }
}

/**
 * The position among the manually ordered tasks of the day, from 0; above a maximum they share the last one.
 */
const dayPlace = `case when day_rank is not null and status = 'open' and trashed_at is null then (
    select count(*) from (
      select from tasks.task other where other.account_id = $1 and other.view_date = page.view_date
        and other.status = 'open' and other.trashed_at is null
          and other.day_rank < page.day_rank limit 1000) before
  ) end`;

async function* readTasks(transaction: Transaction, accountId: string): AsyncGenerator<object[]> {
  const columns = `${shownColumns('task')}, ${dayPlace} as "dayPlace"`;
  const from = 'tasks.task where account_id = $1 and list = $2';
  for (const list of taskLists)
    yield* readPages(transaction, columns, from, { bytes: taskBytes, values: [accountId, list] });
}
