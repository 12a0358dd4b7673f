import { what } from './command-words.ts';

/** What is said of a row that is moved within an order. */
export const placeWords = {
  moved: (titles: readonly string[]) => `Moved ${what(titles)}`,
  several: (count: number) => `${count} tasks`,
  movedTo: (name: string, place: number, count: number) => `${name}: ${place} of ${count}`,
  staysAtEnd: (name: string, end: 'first' | 'last', group: string) =>
    `${name}: already the ${end} of ${group}.`,
  cannotReorder: 'This list orders itself.',
};
