import { isRaw } from '@mikro-orm/core';

/** A statement as PostgreSQL takes it: `$1`, `$2` … in the text, their values beside it. */
export type BoundStatement = { text: string; values: unknown[] };

/** Quotes a name that stands where MikroORM wrote `??`. */
export type QuoteIdentifier = (name: string) => string;

/**
 * A statement as MikroORM words it, for the extended protocol: `?` stands for a value, for several where it is an
 * array, or for a fragment with values of its own; `??` for a name, `\?` for a question mark.
 */
export function bindValues(
  sql: string,
  parameters: readonly unknown[],
  quoteIdentifier: QuoteIdentifier,
): BoundStatement {
  const values: unknown[] = [];
  const bind = (value: unknown): string => {
    if (isRaw(value)) return write(value.sql, value.params);
    if (Array.isArray(value)) return value.map(bind).join(', ');
    return `$${values.push(value)}`;
  };
  const write = (fragment: string, fragmentParameters: readonly unknown[]): string => {
    let next = 0;
    return fragment.replaceAll(/\\\?|\?\??/g, (mark) => {
      if (mark === '\\?') return '?';
      const parameter = fragmentParameters[next++];
      return mark === '??' ? quoteIdentifier(parameter as string) : bind(parameter);
    });
  };
  return { text: write(sql, parameters), values };
}
