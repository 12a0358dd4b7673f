import { quotedTitles } from './quoted-title.ts';

export const placeWords = {
  moved: (titles: readonly string[]) => `Moved ${quotedTitles(titles)}`,
  several: (count: number) => `${count} tasks`,
  movedTo: (name: string, place: number, count: number) => `${name}: ${place} of ${count}`,
  staysAtEnd: (name: string, end: 'first' | 'last', group: string) =>
    `${name}: already the ${end} of ${group}.`,
  cannotReorder: 'This list orders itself.',
};
