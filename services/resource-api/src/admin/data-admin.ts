import type { AppEntity } from '#shared/app/app-protocol.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { notFound } from '#shared/errors/errors.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { eraseAccountRows } from '../accounts/erase-accounts.ts';
import { operatorFor } from '../auth/principal.ts';
import { presentProject } from '../projects/project-schema.ts';
import { restoreProject as restore } from '../projects/project-service.ts';
import { runWrite } from '../session.ts';
import { requireAccount, withDatabase } from './with-database.ts';

const waitMilliseconds = 10_000;
const rowsPerStatement = 1_000;

type FeedRow = {
  seq: number;
  entity: AppEntity;
  id: string;
  change: 'created' | 'updated' | 'deleted';
  at: string;
};

/** Every entry of the account's sync feed after the number `since`, oldest first. Throws not_found. */
export function showFeed(
  databaseUrl: string,
  { accountId, since }: { accountId: string; since: number },
): Promise<FeedRow[]> {
  return withDatabase(databaseUrl, waitMilliseconds, async (database) => {
    const account = await requireAccount(database, accountId);
    const feed: FeedRow[] = [];
    for (;;) {
      const { rows } = await database.query<FeedRow>({
        text: `select sequence as seq, entity, entity_id as id, change, changed_at as at from tasks.feed_entry
          where account_id = $1 and sequence > $2 order by sequence limit $3`,
        values: [account.id, feed.at(-1)?.seq ?? since, rowsPerStatement],
      });
      feed.push(...rows);
      if (rows.length < rowsPerStatement) return feed;
    }
  });
}

/** Removes the rows of an account whose erasure has begun. */
export async function eraseRows(databaseUrl: string, accountId: string): Promise<void> {
  await withDatabase(databaseUrl, waitMilliseconds, (database) => eraseAccountRows(database, accountId));
}

/**
 * Takes a project of the account out of the Trash, with the tasks that went there with it, and returns it as
 * the API shows it; one outside the Trash is returned unchanged. Throws not_found (account or project),
 * project_limit_reached when an active project would exceed the plan's cap, and account_suspended.
 */
export function restoreProject(
  databaseUrl: string,
  { accountId, projectId }: { accountId: string; projectId: string },
): Promise<ReturnType<typeof presentProject>> {
  return withDatabase(databaseUrl, waitMilliseconds, async (database, store) => {
    const principal = operatorFor(await requireAccount(database, accountId));
    if (!isUuid(projectId)) throw projectMissing();
    return await runWrite(store, principal, async (session) =>
      presentProject(await restore(session, projectId.toLowerCase())),
    ).catch((error: unknown) => {
      throw error instanceof AppError && error.code === 'not_found' ? projectMissing() : error;
    });
  });
}

function projectMissing(): AppError {
  return notFound('the account has no project with that id');
}
