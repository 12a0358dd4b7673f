import type { Sql, SqlConnection } from '#tests/support/connect-sql.ts';

const partitionCount = 8;

/**
 * Makes every table of account data one that is partitioned by hash of its `account_id`, from what the catalog says of
 * it: columns, checks, keys, indexes, storage, rights, and the views on it. The tables have to be empty. Answers their
 * names.
 */
export async function partitionTables({ sql, run }: Pick<SqlConnection, 'sql' | 'run'>): Promise<string[]> {
  const tables = await sql<{ name: string; storage: string | null }>`
    select relname as name, array_to_string(reloptions, ', ') as storage from pg_class
    where relnamespace = 'tasks'::regnamespace and relkind = 'r'
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id')
    order by name`;
  const statements = [...tableStatements(tables), ...(await laterStatements(sql))];
  // Sent together, they are one transaction.
  await run(statements.join(';\n'));
  // Of this session what it has just done is reported before it is forgotten.
  await run('select pg_stat_force_next_flush()');
  await run('select pg_stat_reset()');
  return tables.map(({ name }) => name);
}

function tableStatements(tables: readonly { name: string; storage: string | null }[]): string[] {
  return [
    'create schema ordinary',
    ...tables.map(({ name }) => `alter table tasks.${name} set schema ordinary`),
    ...tables.flatMap(({ name, storage }) => [
      `create table tasks.${name} (like ordinary.${name} including all) partition by hash (account_id)`,
      ...Array.from(
        { length: partitionCount },
        (_, remainder) =>
          `create table tasks.${partitionName(name, remainder)} partition of tasks.${name}
           for values with (modulus ${partitionCount}, remainder ${remainder}) ${storage ? `with (${storage})` : ''}`,
      ),
    ]),
    // Takes the views along, which the tables drag into it.
    'drop schema ordinary cascade',
  ];
}

/** What goes between the tables, and what is made of all of them. To be asked for while the ordinary ones are there. */
async function laterStatements(sql: Sql): Promise<string[]> {
  const rows = await sql<{ statement: string }>`
    select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
      as statement, 1 as turn
    from pg_constraint where connamespace = 'tasks'::regnamespace and contype = 'f'
    union all
    select format('create view tasks.%I as %s', viewname, trim(trailing ';' from definition)), 2
    from pg_views where schemaname = 'tasks'
    union all
    select distinct format('grant %s on tasks.%I to %I', privilege_type, table_name, grantee), 3
    from information_schema.role_table_grants where table_schema = 'tasks' and grantee <> current_user
    union all
    select pg_get_triggerdef(pg_trigger.oid), 4 from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'tasks'::regnamespace and not tgisinternal
    order by turn`;
  return rows.map(({ statement }) => statement);
}

/** The partition that holds this account's rows, the same number in every table. */
export async function partitionOf(sql: Sql, accountId: string): Promise<number> {
  const [partition] = await sql<{ number: number }>`
    select number from generate_series(0, ${partitionCount - 1}::integer) number
    where satisfies_hash_partition('tasks.task'::regclass, ${partitionCount}::integer, number, ${accountId}::uuid)`;
  if (partition === undefined) throw new Error('the tables are not partitioned');
  return partition.number;
}

function partitionName(table: string, number: number): string {
  return `${table}_partition_${number}`;
}

/** The partitions that were read or written since they were made. */
export async function touchedPartitions(sql: Sql): Promise<{ table: string; number: number }[]> {
  return sql<{ table: string; number: number }>`
    select parent.relname as table, split_part(part.relname, '_partition_', 2)::int as number
    from pg_stat_user_tables part join pg_inherits on inhrelid = part.relid
    join pg_class parent on parent.oid = inhparent
    where part.schemaname = 'tasks'
      and part.seq_scan + coalesce(part.idx_scan, 0) + part.n_tup_ins + part.n_tup_upd + part.n_tup_del > 0`;
}
