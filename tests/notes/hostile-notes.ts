/** The most the API accepts. */
export const maxNotesLength = 100_000;

/** A pattern repeated up to the greatest length. */
export const fillNotes = (pattern: string): string =>
  pattern.repeat(Math.ceil(maxNotesLength / pattern.length)).slice(0, maxNotesLength);

/** The converter needs minutes for them. */
export const endlessNotes = fillNotes('`');
