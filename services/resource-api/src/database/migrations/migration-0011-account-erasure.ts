import { Migration } from '@mikro-orm/migrations';

/** Removes the rows of accounts that auth-server has marked. Changes that have no reader enter no feed. */
export class Migration0011AccountErasure extends Migration {
  override up(): void {
    for (const statement of [...functions, ...rights]) this.addSql(statement);
  }
}

/** Every table with an account's id, those of later migrations too; what is referred to goes last. */
const tablesOfAccount = `select class.oid::regclass from pg_class class
  join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attname = 'account_id'
  where class.relnamespace = 'tasks'::regnamespace and class.relkind in ('r', 'p')
    and not class.relispartition
  order by array_position(array['task', 'section', 'project', 'area'], class.relname::text) nulls first`;

const functions = [
  `create function tasks.erase_rows(account uuid, at_most integer) returns integer
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
  `create function tasks.has_rows_of(account uuid) returns boolean
     language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
   declare
     owned regclass;
     found_one boolean;
   begin
     for owned in ${tablesOfAccount} loop
       execute format('select exists (select from %s where account_id = $1)', owned)
         into found_one using account;
       if found_one then
         return true;
       end if;
     end loop;
     return false;
   end $$`,
];

const rights = [
  'revoke all on function tasks.erase_rows(uuid, integer), tasks.has_rows_of(uuid) from public',
  'grant execute on function tasks.erase_rows(uuid, integer) to resource_api',
  'grant execute on function tasks.has_rows_of(uuid) to auth_server',
];
