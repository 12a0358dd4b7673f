/** Pages are limited by row count and by size: 200 tasks with the longest notes are hundreds of megabytes. */

/** With fewer bytes of texts before it, a row is still part of a page. */
const pageBytes = 2_000_000;
/** A page whose rows have no longer texts than this needs no measuring. */
const shortBytes = 8_000;

/** What notes take, as they are sent; asks for their lengths alone, not for the texts. */
export const notesBytes = 'octet_length(description_html) + coalesce(octet_length(description), 0)';

/** What `column` of type jsonb takes: joined with nothing it is the same, but not compressed. */
export const jsonBytes = (column: string): string => `pg_column_size(${column} || '[]')`;

/** The notes, or null where they are long. */
export const shortNotes = (column: string): string =>
  `case when ${notesBytes} <= ${shortBytes} then ${column} end`;

/** A list in `column` of type jsonb; null where it is long or compressed, which says nothing of its length. */
export const shortJson = (column: string): string =>
  `case when pg_column_size(${column}) <= ${shortBytes} and pg_column_compression(${column}) is null
    then ${column} end`;

/**
 * The first rows of `page`, a statement with the sort order `order`: as many as there is room for, at least one. `bytes`
 * of a row are an expression of its columns. A further column, `goes_on`, tells whether `page` has a row after this one.
 */
export function withinPageBytes(page: string, order: string, bytes: string): string {
  return `select * from (
      select page.*, lead(true) over (order by ${order}) is not null as goes_on,
        sum(${bytes}) over (order by ${order} rows between unbounded preceding and 1 preceding) as bytes_before
      from (${page}) page
    ) measured where bytes_before is null or bytes_before < ${pageBytes} order by ${order}`;
}
