import { query } from '../database/query.ts';
import type { Session } from '../session.ts';

type AccountUsage = {
  storedBytes: number;
  projects: number;
  areas: number;
  tokens: number;
  apps: number;
};

/** An account that has written nothing has no row in the view of resource-api. */
export async function findAccountUsage({ em, clock }: Session, accountId: string): Promise<AccountUsage> {
  const now = clock.now();
  const [row] = await query(em)<AccountUsage>`
    select coalesce(usage.stored_bytes, 0)::float8 as "storedBytes",
       coalesce(usage.projects, 0)::int as projects,
       coalesce(usage.areas, 0)::int as areas,
       (select count(*)::int from auth.api_token where account_id = account.id and revoked_at is null
         and (expires_at is null or expires_at > ${now})) as tokens,
       (select count(*)::int from auth.oauth_grant where account_id = account.id and last_used_at is not null
         and expires_at > ${now}) as apps
     from auth.account account left join tasks.account_usage usage on usage.account_id = account.id
     where account.id = ${accountId}`;
  return row ?? { storedBytes: 0, projects: 0, areas: 0, tokens: 0, apps: 0 };
}
