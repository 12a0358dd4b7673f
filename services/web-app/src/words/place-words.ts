import { what } from './command-words.ts';

/** What is said of a row that is moved within an order. */
export const placeWords = {
  moved: (titles: readonly string[]) => `Moved ${what(titles)}`,
  movedTo: (title: string, place: number, count: number) => `${title}: ${place} of ${count}`,
  staysAtEnd: (title: string, end: 'first' | 'last', group: string) =>
    `${title} stays: it is the ${end} of ${group}.`,
  cannotReorder: 'This list orders itself.',
};
