import type { Stack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';

/** Fingerprints of all rows of an account, by table: equal before and after means nothing was written. */
export async function storedStateOf(
  { sql }: Stack,
  { accountId }: TestAccount,
): Promise<Record<string, string>> {
  const rows = await sql<{ name: string; fingerprint: string }>`
    select name, count(*) || ' ' || md5(string_agg(content, chr(10) order by content)) as fingerprint from (
      select 'account_feed' as name,
        (last_sequence, last_changed_at, stored_bytes)::text as content
        from tasks.account_feed where account_id = ${accountId}
      union all select 'feed_entry', r::text from tasks.feed_entry r where account_id = ${accountId}
      union all select 'area', r::text from tasks.area r where account_id = ${accountId}
      union all select 'project', r::text from tasks.project r where account_id = ${accountId}
      union all select 'section', r::text from tasks.section r where account_id = ${accountId}
      union all select 'task', r::text from tasks.task r where account_id = ${accountId}
      union all select 'kept_answer', r::text from tasks.kept_answer r where account_id = ${accountId}
    ) rows group by name order by name`;
  return Object.fromEntries(rows.map(({ name, fingerprint }) => [name, fingerprint]));
}
