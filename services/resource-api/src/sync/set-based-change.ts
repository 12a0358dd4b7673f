import type { WriteSession } from '../session.ts';
import type { FeedEntity } from './feed-entry.ts';

export type SetBasedChange = {
  entity: FeedEntity;
  /** SQL of the assignments and of the condition, each with `?` for its parameters. */
  set: string;
  setParameters?: readonly unknown[];
  where: string;
  whereParameters?: readonly unknown[];
};

/**
 * Changes any number of the account's rows in one statement, without loading them: each gets the stamp and a feed
 * entry of its own, exactly as if it had been flushed. The unit of work is flushed first, so that both agree.
 */
export async function changeRows(session: WriteSession, change: SetBasedChange): Promise<void> {
  const { em, account, changedAt } = session;
  await em.flush();
  const rows = await em.execute<{ id: string }[]>(
    `update tasks.${change.entity} set ${change.set}, updated_at = ?
     where account_id = ? and (${change.where}) returning id`,
    [...(change.setParameters ?? []), changedAt, account.id, ...(change.whereParameters ?? [])],
  );
  for (const { id } of rows) session.recordChange(change.entity, id, 'updated');
}
