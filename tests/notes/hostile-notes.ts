/** The most the API accepts. */
export const maxNotesLength = 100_000;

/** A pattern repeated up to the greatest length. */
export const fillNotes = (pattern: string): string =>
  pattern.repeat(Math.ceil(maxNotesLength / pattern.length)).slice(0, maxNotesLength);

/** Patterns that cost the converter seconds to hours when they are repeated, each in another of its steps. */
export const slowPatterns: readonly string[] = [
  '[',
  '`',
  '[a](',
  '![',
  '[](',
  '<div>',
  '<p>\n\n',
  '~',
  '|',
  '> ',
  '[a]: b\n',
  'a\n- b\n\n',
  '\\<',
  `a${'\t'.repeat(20_000)}b`,
  `a${' '.repeat(50_000)}b`,
  `- a${'\n'.repeat(50_000)}  b\n- c`,
];

/** The converter needs minutes for them. */
export const endlessNotes = fillNotes('`');
