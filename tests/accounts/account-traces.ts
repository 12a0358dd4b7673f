import type { Stack } from '#tests/support/stack.ts';

/** The tables of any schema that hold one of the texts in any column, as text or as bytes. */
export async function tablesWith({ sql }: Pick<Stack, 'sql'>, texts: readonly string[]): Promise<string[]> {
  const patterns = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  const found = await sql<{ name: string; rows: string }>`
    select name, (xpath('/row/count/text()', query_to_xml(format(
      'select count(*) from %s as any_row where any_row::text ilike any (%L::text[])', name,
      array(select '%' || pattern || '%' from unnest(${patterns}::text[]) pattern)), false, true, '')))[1]::text as rows
    from (
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')) present
    order by name`;
  return found.filter(({ rows }) => rows !== '0').map(({ name }) => name);
}
