import pLimit from 'p-limit';
import type { Account } from '../auth/principal.ts';
import type { WriteStore } from '../session.ts';
import { type NotesRenderer, pendingVersion } from './notes-renderer.ts';
import { type NotesTable, notesPerWrite, renderStoredNotes } from './stored-notes.ts';

const accountsAtOnce = 4;

/**
 * Renders notes stored as plain text after a timeout again, a few of each account. Returns their number by
 * table. Ends early when `signal` aborts; a later call, in any process, continues.
 */
export async function renderPendingNotes(
  store: WriteStore,
  notes: Pick<NotesRenderer, 'renderAgain'>,
  signal: AbortSignal,
): Promise<Record<NotesTable, number>> {
  const done = { task: 0, project: 0 };
  const limit = pLimit(accountsAtOnce);
  const pending = await Promise.all([findPending(store, 'task'), findPending(store, 'project')]);
  // Those of an account that fails or has to wait keep no others.
  const outcomes = await Promise.allSettled(
    pending.flat().map(({ table, ids, ...account }) =>
      limit(async () => {
        if (signal.aborted) return;
        const { rendered } = await renderStoredNotes(store, notes, account, table, ids);
        done[table] += rendered;
      }),
    ),
  );
  const failed = outcomes.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return done;
}

type Pending = Account & { table: NotesTable; ids: string[] };

async function findPending({ database }: WriteStore, table: NotesTable): Promise<Pending[]> {
  const { rows } = await database.query<Omit<Pending, 'table'>>({
    text: `select account.account_id as id, account.plan, account.timezone, account.status,
        array_agg(pending.id) as ids
      from (
        select account_id, id, row_number() over (partition by account_id order by id) as place
        from tasks.${table} where renderer_version = ${pendingVersion}
      ) pending join auth.account_access account using (account_id)
      where pending.place <= $1
      group by account.account_id, account.plan, account.timezone, account.status`,
    values: [notesPerWrite],
  });
  return rows.map((row) => ({ ...row, table }));
}
