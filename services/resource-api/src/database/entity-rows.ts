import { type EntitySchemaWithMeta, p, UnderscoreNamingStrategy } from '@mikro-orm/core';
import type { InferKyselyTable } from '@mikro-orm/postgresql';
import type { Selectable } from 'kysely';

/** ISO 8601 in UTC with milliseconds, as in the API. */
export const timestamp = () => p.datetime(3).$type<string>();

/** A row of an entity's table, with property names. */
export type RowOf<Entity extends EntitySchemaWithMeta> = Selectable<
  InferKyselyTable<Entity, { columnNamingStrategy: 'property' }>
>;

const naming = new UnderscoreNamingStrategy();

/** The select list of a `RowOf` the entity. `toSql` may replace columns by expressions, or leave them out. */
export function columnsOf(
  { properties }: { properties: object },
  toSql: (column: string) => string | undefined = (column) => column,
): string {
  return Object.keys(properties)
    .flatMap((name) => {
      const value = toSql(columnName(name));
      return value === undefined ? [] : `${value} as "${name}"`;
    })
    .join(', ');
}

export const columnName = (property: string): string => naming.propertyToColumnName(property);

/** Converts column names to property names. */
export function byProperty(values: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [naming.columnNameToProperty(column), value]),
  );
}
