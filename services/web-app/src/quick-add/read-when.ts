import type { GrammarOptions } from './piece.ts';
import { type Entry, type EntryOptions, readEntry } from './read-entry.ts';

/** The whole text as a day with time and repeat, for date fields; null when words are left over. */
export function readWhen(
  text: string,
  options: GrammarOptions & Pick<EntryOptions, 'grammar'>,
): Pick<Entry, 'pieces' | 'dueDate' | 'reminderTime' | 'recurrence'> | null {
  // Behind a title, which is what is left over when everything else was read.
  const title = 'x';
  const entry = readEntry(`${title} ${text}`, {
    ...options,
    isDateField: true,
    projects: [],
    picked: new Map(),
    allowsDeadlines: true,
    plain: new Set(),
  });
  const isRead = entry.title === title && entry.deadlineDate === null && !entry.isSomeday;
  return isRead && entry.pieces.length > 0 ? entry : null;
}
