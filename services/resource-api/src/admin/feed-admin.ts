import { type FeedRow, readFeed } from '../sync/account-feed.ts';
import { requireAccount, withDatabase } from './with-database.ts';

const rowsPerStatement = 1_000;

/** Every entry of the account's sync feed after the number `since`, oldest first. Throws not_found. */
export function showFeed(
  databaseUrl: string,
  { accountId, since }: { accountId: string; since: number },
): Promise<FeedRow[]> {
  return withDatabase(databaseUrl, 10_000, async (database) => {
    const account = await requireAccount(database, accountId);
    const feed: FeedRow[] = [];
    for (;;) {
      const rows = await readFeed(database, account.id, feed.at(-1)?.seq ?? since, rowsPerStatement);
      feed.push(...rows);
      if (rows.length < rowsPerStatement) return feed;
    }
  });
}
