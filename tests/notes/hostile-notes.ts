/** The most the API takes. */
export const maxNotesLength = 100_000;

/** A pattern repeated up to the greatest length. */
export const fillNotes = (pattern: string): string =>
  pattern.repeat(Math.ceil(maxNotesLength / pattern.length)).slice(0, maxNotesLength);

/** Patterns that cost the converter seconds to hours when they are repeated, each by another of its steps. */
export const slowPatterns: readonly string[] = [
  '[',
  '`',
  '[a](',
  '![',
  '[](',
  '<div>',
  '<p>\n\n',
  '~',
  '*',
  '_',
  '|',
  '> ',
  '[a]: b\n',
  'a\n- b\n\n',
  '\\<',
  `a${'\t'.repeat(20_000)}b`,
  `a${' '.repeat(50_000)}b`,
  `- a${'\n'.repeat(50_000)}  b\n- c`,
];

/** Patterns that are harmless by now, or never were. */
export const quickPatterns: readonly string[] = [
  '<a href="',
  '<',
  '<!--',
  '< ',
  '<b>',
  ' ',
  '\n',
  '\t',
  '_a',
  '*a ',
  '**a',
  'a*',
  '#',
  '- a\n',
  '> - ',
  '|a|b|\n',
  '&',
  '😀_',
];

/** Backticks in runs no two of which are alike: each is looked for to the end of the text, and none ends. */
export const endlessNotes = `${Array.from({ length: 40 }, (_, run) => '`'.repeat(run + 1)).join(' x ')}${' word'.repeat(19_000)}`;

/** Somewhere between: what the estimate passes, the budget may end. */
const otherPatterns: readonly string[] = [
  'http://',
  'www.',
  '<b>*`[x](y',
  '<table><tr><td>',
  '1. a\n',
  '~~a~~',
];

export const hostileNotes = [...slowPatterns, ...quickPatterns, ...otherPatterns].map(fillNotes);
