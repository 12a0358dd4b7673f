import { runEach } from '#shared/sweep/run-each.ts';
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
  const pending = await Promise.all([findPending(store, 'task'), findPending(store, 'project')]);
  const render = async ({ table, ids, ...account }: Pending): Promise<void> => {
    if (signal.aborted) return;
    const { rendered } = await renderStoredNotes(store, notes, account, table, ids);
    done[table] += rendered;
  };
  await runEach(pending.flat(), render, accountsAtOnce);
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
