import { readDates, readDaysOfMonth } from './english-dates.ts';
import { readRepeatedDates, readRepeats } from './english-repeats.ts';
import { type Grammar, type GrammarOptions, maskSpans, type Piece } from './piece.ts';

const longestDate = 6;
const deadlineStart = /(?<=^|\s)!(?=[\p{L}\p{N}])/gu;
const somedayAtEnd = /(?<=^|\s)someday(?=\s*$)/iu;

export const englishGrammar: Grammar = {
  read(text, options) {
    const repeats = readRepeats(text);
    const deadlines = readDeadlines(maskSpans(text, repeats), options);
    const someday = readSomeday(text);
    const taken = [...repeats, ...deadlines, ...someday, ...readDaysOfMonth(text, options)];
    const read = [...taken, ...readDates(maskSpans(text, taken), options)];
    return [...read, ...readRepeatedDates(text, read)];
  },

  readDate(text, options) {
    const [first, second] = readDates(text, options);
    if (first?.kind !== 'date' || second !== undefined) return null;
    const rest = text.slice(0, first.start) + text.slice(first.end);
    return rest.trim() === '' ? { date: first.date, time: first.time } : null;
  },
};

/** «!30 nov»: the longest run of words right behind the mark that is a date without a time. */
function readDeadlines(text: string, options: GrammarOptions): Piece[] {
  return [...text.matchAll(deadlineStart)].flatMap(({ index }) => {
    const words = [...text.slice(index + 1).matchAll(/\S+/gu)].slice(0, longestDate);
    const ends = words.map((word) => index + 1 + word.index + word[0].length).toReversed();
    for (const end of ends) {
      const found = englishGrammar.readDate(text.slice(index + 1, end), options);
      if (found?.time === null) return [{ kind: 'deadline', start: index, end, date: found.date } as const];
    }
    return [];
  });
}

function readSomeday(text: string): Piece[] {
  const match = somedayAtEnd.exec(text);
  if (match === null) return [];
  return [{ kind: 'someday', start: match.index, end: match.index + match[0].length }];
}
