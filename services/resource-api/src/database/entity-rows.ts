import { type EntitySchemaWithMeta, p, UnderscoreNamingStrategy } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Selectable } from 'kysely';

/** ISO 8601 in UTC with milliseconds, as on the wire. */
export const timestamp = () => p.datetime(3).$type<string>();

/** A row of an entity's table, by the names of its properties. */
export type RowOf<Entity extends EntitySchemaWithMeta> = Selectable<
  InferKyselyTable<Entity, { columnNamingStrategy: 'property' }>
>;

const naming = new UnderscoreNamingStrategy();

/** The columns of a `RowOf` the entity for a `select`. `toSql` may replace some by an expression. */
export function columnsOf(
  { properties }: { properties: object },
  toSql: (column: string) => string = (column) => column,
): string {
  return Object.keys(properties)
    .map((name) => `${toSql(naming.propertyToColumnName(name))} as "${name}"`)
    .join(', ');
}

/** Values by the names of columns, by those of properties. */
export function byProperty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [naming.columnNameToProperty(column), value]),
  );
}
