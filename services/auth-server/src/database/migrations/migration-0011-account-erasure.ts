import { Migration } from '@mikro-orm/migrations';

/**
 * Accounts whose deletion was asked for. Each service removes the account's rows of its own schema, a few at
 * a time, by a function that refuses every other account: its role may not delete them otherwise.
 */
export class Migration0011AccountErasure extends Migration {
  override up(): void {
    for (const statement of [...table, ...functions, ...grants]) this.addSql(statement);
  }
}

const table = [
  // began_at: nothing brings the account back from then on. emptied_at: its last row went, but for what
  // follows it. No foreign key: the row goes last, a minute after the account, so that what was written late
  // goes too.
  `create table auth.account_erasure (
     account_id uuid primary key,
     erase_after timestamptz(3) not null,
     began_at timestamptz(3),
     emptied_at timestamptz(3)
   )`,
  'create index account_erasure_by_time on auth.account_erasure (erase_after)',
  `create view auth.account_erasure_access as
     select account_id from auth.account_erasure where began_at is not null`,
];

/** Every table with an account's id, those of later migrations too; rows that refer to them go by cascade. */
const tablesOfAccount = `select class.oid::regclass from pg_class class
  join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attname = 'account_id'
  where class.relnamespace = 'auth'::regnamespace and class.relkind in ('r', 'p') and not class.relispartition
    and class.relname not in ('account_erasure', 'principal_change')`;

const functions = [
  // Returns how many rows it removed: fewer than at_most when none is left.
  `create function auth.erase_rows(account uuid, at_most integer) returns integer
     language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
   declare
     owned regclass;
     removed integer;
     total integer := 0;
   begin
     if not exists (select from auth.account_erasure_access where account_id = account) then
       raise exception 'the account is not to be erased';
     end if;
     for owned in ${tablesOfAccount} loop
       execute format('delete from %s where account_id = $1 and ctid = any (array(
         select ctid from %1$s where account_id = $1 limit $2))', owned) using account, at_most - total;
       get diagnostics removed = row_count;
       total := total + removed;
       exit when total >= at_most;
     end loop;
     return total;
   end $$`,
  // The account's lock: a write that began earlier is seen, and one that begins later finds no account.
  `create function auth.erase_account(erased uuid) returns boolean
     language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
   begin
     if not exists (select from auth.account_erasure_access where account_id = erased) then
       raise exception 'the account is not to be erased';
     end if;
     perform pg_advisory_xact_lock(hashtextextended(erased::text, 0));
     if tasks.has_rows_of(erased) then
       return false;
     end if;
     delete from auth.oauth_interaction where position(erased::text in payload) > 0;
     delete from auth.account where id = erased;
     return true;
   end $$`,
];

const grants = [
  'grant select, insert, update, delete on auth.account_erasure to auth_server',
  'grant select on auth.account_erasure_access to resource_api',
  'revoke all on function auth.erase_rows(uuid, integer), auth.erase_account(uuid) from public',
  'grant execute on function auth.erase_rows(uuid, integer), auth.erase_account(uuid) to auth_server',
];
