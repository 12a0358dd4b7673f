/** Pages are limited by row count and by size: 200 tasks with the longest notes are hundreds of megabytes. */

const pageBytes = 1_000_000;
/** Pages of shorter texts are not measured. */
const shortBytes = 8_000;

/** Size of the notes in a response; reads only lengths, not texts. */
export const notesBytes = 'octet_length(description_html) + coalesce(octet_length(description), 0)';

/** With that of the checklist; the concatenation decompresses it. */
export const taskBytes = `${notesBytes} + pg_column_size(checklist || '[]')`;

/** The notes, or null if they are long. */
export const shortNotes = (column: string): string =>
  `case when ${notesBytes} <= ${shortBytes} then ${column} end`;

/** Null if it is long or compressed (its length is then unknown). */
export const shortChecklist = `case when pg_column_size(checklist) <= ${shortBytes}
    and pg_column_compression(checklist) is null then checklist end`;

/**
 * The first rows of `page`, a statement ordered by `order`: as many as the size limit allows, at least one.
 * `bytes` is an expression of a row's size. The column `has_more` is true if `page` has further rows.
 */
export function withinPageBytes(page: string, order: string, bytes: string): string {
  return `select * from (
      select page.*, lead(true) over (order by ${order}) is not null as has_more,
        sum(${bytes}) over (order by ${order}
          rows between unbounded preceding and 1 preceding) as bytes_before
      from (${page}) page
    ) measured where bytes_before is null or bytes_before < ${pageBytes} order by ${order}`;
}
