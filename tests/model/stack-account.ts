import { type AccountClient, nowOf, type Stack } from '#tests/support/stack.ts';
import type { FeedRow } from './compare-moments.ts';
import type { HistoryAccount } from './run-history.ts';
import type { Send } from './send-operation.ts';

/** A new account of a stack, for one history; `sendAs` decides what carries its requests. */
export async function openStackAccount(
  stack: Stack,
  plan: 'free' | 'premium',
  sendAs: (client: AccountClient) => Send = checkedSend,
): Promise<HistoryAccount> {
  const client = await stack.newClient({ plan });
  const { accountId } = client.account;
  return {
    plan,
    send: sendAs(client),
    now: () => nowOf(stack),
    async changeAccount({ plan: wanted = null, timezone = null }) {
      await stack.sql`update auth.account set plan = coalesce(${wanted}, plan),
        timezone = coalesce(${timezone}, timezone) where id = ${accountId}`;
      await stack.announceChange(accountId);
    },
    readFeed: () => readFeed(stack, accountId),
  };
}

/** Every answer is also compared with the document that the service serves. */
function checkedSend(client: AccountClient): Send {
  return ({ method, path, body }) => client.request<never>(method, path, { body });
}

async function readFeed({ sql }: Pick<Stack, 'sql'>, accountId: string): Promise<FeedRow[]> {
  const rows = await sql<Omit<FeedRow, 'sequence'> & { sequence: string }>`
    select sequence, entity, entity_id as id, change,
      to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt"
    from tasks.feed_entry where account_id = ${accountId} order by sequence`;
  return rows.map((row) => ({ ...row, sequence: Number(row.sequence) }));
}
