import type { World } from './bench.ts';
import { withConnection } from './stores.ts';

/** No task comes. */
export const laterThanAnyChange = '/tasks?view=all&updatedSince=2099-01-01T00:00:00.000Z';

/** Of each account the greatest `updatedAt` of its tasks, as the API writes it. */
export async function readLastChanges({ databaseUrl }: World): Promise<ReadonlyMap<string, string>> {
  const rows = await withConnection(
    databaseUrl,
    ({ sql }) => sql<{ account_id: string; changed: string }>`
      select account_id, to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed
      from tasks.task group by account_id`,
  );
  return new Map(rows.map(({ account_id, changed }) => [account_id, changed]));
}

/** What a mirror asks that has seen every task of its account, by the documented recipe: the last one comes again. */
export function recipePollPath(lastChanges: ReadonlyMap<string, string>, accountId: string): string {
  return `/tasks?view=all&updatedSince=${lastChanges.get(accountId)}`;
}
