import { connectTasksDatabase } from '../database/tasks-orm.ts';
import { type FeedRow, readFeed } from '../sync/feed-repository.ts';
import { requireAccount } from './require-account.ts';

const rowsPerStatement = 1_000;

/** Every entry of the account's sync feed after the number `since`, oldest first. Throws not_found. */
export async function showFeed(
  databaseUrl: string,
  { accountId, since }: { accountId: string; since: number },
): Promise<FeedRow[]> {
  const orm = await connectTasksDatabase({ url: databaseUrl, poolSize: 1, waitMilliseconds: 10_000 });
  try {
    const em = orm.em.fork();
    const account = await requireAccount(em, accountId);
    const feed: FeedRow[] = [];
    for (;;) {
      const rows = await readFeed(em, account.id, feed.at(-1)?.seq ?? since, rowsPerStatement);
      feed.push(...rows);
      if (rows.length < rowsPerStatement) return feed;
    }
  } finally {
    await orm.close(true);
  }
}
