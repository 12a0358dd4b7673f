import type { Queryable } from '#shared/database/database.ts';

/** A personal token or a connected app, and when it was last seen. */
export type TokenUse = { accountId: string; tokenId: string; usedAt: Date };

/**
 * Stores all `uses` in one statement; an earlier use never replaces a later one. The same statement deletes
 * the uses of the accounts' deleted apps, so the table does not outgrow the tokens.
 */
export async function writeTokenUses(db: Queryable, uses: readonly TokenUse[]): Promise<void> {
  await db.query({
    text: `with used as (
       select * from json_to_recordset($1::json)
         as used ("accountId" uuid, "tokenId" uuid, "usedAt" timestamptz)
     ), gone as (
       delete from tasks.token_use past
       where past.account_id in (select "accountId" from used)
         and past.token_id not in (select "tokenId" from used)
         and not exists (select from auth.api_token_access token where token.token_id = past.token_id)
         and not exists (select from auth.oauth_grant_access app where app.grant_id = past.token_id)
     )
     insert into tasks.token_use as past (account_id, token_id, last_used_at)
     select "accountId", "tokenId", "usedAt" from used order by "accountId", "tokenId"
     on conflict (account_id, token_id)
     do update set last_used_at = greatest(past.last_used_at, excluded.last_used_at)`,
    values: [JSON.stringify(uses)],
  });
}
