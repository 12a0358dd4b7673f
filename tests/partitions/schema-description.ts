import type { Sql } from '#tests/support/connect-sql.ts';

/**
 * Schema `tasks` in words of the catalog, a line each, for comparing: whatever an application or another schema can
 * meet. Partitions count as the inside of their table, and the names of indexes as nothing.
 */
export async function describeSchema(sql: Sql): Promise<string[]> {
  const rows = await sql<{ line: string }>`
    with relation as (
      select oid, relname as name, relacl as rights, reloptions as storage, relkind from pg_class
      where relnamespace = 'tasks'::regnamespace and relkind in ('r', 'p', 'v') and not relispartition
    )
    select concat_ws(' ', 'column', name, attname, format_type(atttypid, atttypmod), attnotnull,
      attgenerated, pg_get_expr(adbin, adrelid), attacl) as line
    from relation join pg_attribute on attrelid = relation.oid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select concat_ws(' ', 'constraint', name, conname, pg_get_constraintdef(pg_constraint.oid))
    from relation join pg_constraint on conrelid = relation.oid where conparentid = 0
    union all
    select regexp_replace(pg_get_indexdef(indexrelid), 'INDEX \\S+ ON (ONLY |)', 'INDEX ON ')
    from relation join pg_index on indrelid = relation.oid
    union all
    select pg_get_triggerdef(pg_trigger.oid) from relation join pg_trigger on tgrelid = relation.oid
    where not tgisinternal
    union all
    select concat_ws(' ', 'view', name, pg_get_viewdef(oid)) from relation where relkind = 'v'
    union all
    select concat_ws(' ', 'right', name, acl.grantee::regrole, acl.privilege_type, acl.is_grantable)
    from relation, aclexplode(rights) acl where acl.grantee <> current_user::regrole
    union all
    select distinct concat_ws(' ', 'storage', relation.name, coalesce(leaf.reloptions, relation.storage)::text)
    from relation left join pg_inherits on inhparent = relation.oid left join pg_class leaf on leaf.oid = inhrelid
    union all
    select concat_ws(' ', pg_get_functiondef(oid), proacl::text) from pg_proc
    where pronamespace = 'tasks'::regnamespace
    order by line`;
  return rows.map(({ line }) => line);
}
