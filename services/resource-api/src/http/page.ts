import { mixed, type ObjectSchema, object, string } from 'yup';
import { flag, listOf } from '#shared/validation/fields.ts';

const defaultPageSize = 50;
const maximumPageSize = 200;

/** The paging parameters of every list (specification §4). */
export const pagingParameters = {
  limit: mixed<string>().meta({
    description:
      'Page size, 1 to 200: values over 200 count as 200; ' +
      'zero, negative or unreadable ones as the default. Never rejected. ' +
      'Pages of very long texts have fewer entries.',
    json: { type: 'integer', format: 'int32', default: defaultPageSize },
  }),
  cursor: string().meta({
    description: 'The `nextCursor` of the previous page. Only for the same list with the same parameters.',
  }),
};

/** `nextCursor`: a sealed one, unless the page is one part of another. */
export type Page<Item, Cursor = string> = { items: Item[]; nextCursor: Cursor | null };

export function pageSize(limit: string | undefined): number {
  const wanted = limit !== undefined && /^\+?\d+$/.test(limit) ? Number(limit) : 0;
  return wanted > 0 ? Math.min(wanted, maximumPageSize) : defaultPageSize;
}

/** `hasMore`: whether there are further rows, if `rows` are not all that were requested. */
export function takePage<Row, Cursor = string>(
  rows: readonly Row[],
  size: number,
  seal: (last: Row) => Cursor,
  hasMore = false,
): Page<Row, Cursor> {
  const items = rows.slice(0, size);
  const last = items.at(-1);
  const nextCursor = (hasMore || rows.length > size) && last !== undefined ? seal(last) : null;
  return { items, nextCursor };
}

export function presentPage<Item, Presented>(
  { items, nextCursor }: Page<Item>,
  present: (item: Item) => Presented,
) {
  return { items: items.map(present), nextCursor, hasMore: nextCursor !== null };
}

export function pageOf<Fields extends object>(item: ObjectSchema<Fields>) {
  return object({
    items: listOf(item, maximumPageSize).defined().meta({ description: 'The entries of this page.' }),
    nextCursor: string()
      .nullable()
      .defined()
      .meta({ description: 'Where the next page starts; null on the last page.' }),
    hasMore: flag().defined().meta({ description: 'Whether `nextCursor` leads to another page.' }),
  });
}
