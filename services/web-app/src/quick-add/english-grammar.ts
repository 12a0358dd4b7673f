import { addDays } from '../dates/civil-date.ts';
import { startOfMonth } from '../dates/start-of-month.ts';
import { readBareHours, readDates, readDaysOfMonth } from './english-dates.ts';
import { readLines, readMessage } from './english-lines.ts';
import { deadlineStart, lengthPattern, untilStart } from './english-patterns.ts';
import { readRepeatedDates, readRepeats, withoutAdjectives, withoutSeveralDates } from './english-repeats.ts';
import { datesOf } from './implied-date.ts';
import { type Grammar, type GrammarOptions, maskSpans, type Piece, spanOf } from './piece.ts';

const longestDate = 6;
const somedayAtEnd = /(?<=^|\s)someday(?=\s*$)/iu;

export const englishGrammar: Grammar = {
  read(text, options) {
    const repeats = readRepeats(text).flatMap((piece) => withEnd(text, piece, options));
    const deadlines = readDeadlines(maskSpans(text, repeats), options);
    const someday = readSomeday(text);
    const taken = [
      ...repeats,
      ...deadlines,
      ...someday,
      ...readDaysOfMonth(maskSpans(text, deadlines), options),
    ];
    // «9:00 for 10 days»: the number would be taken for another time.
    const lengths = [...text.matchAll(lengthPattern)].map(spanOf);
    const dates = readDates(maskSpans(text, [...taken, ...lengths]), options);
    const read = withoutSeveralDates(text, [...taken, ...dates]);
    const pieces = [...read, ...readBareHours(text, read), ...readRepeatedDates(text, read)];
    return withLength(text, withoutAdjectives(text, pieces), options);
  },

  datesOf,
  readLines,
  readMessage,

  readDate(text, options) {
    const inField = { ...options, isDateField: true };
    const daysOfMonth = readDaysOfMonth(text, inField);
    const [first, second] = daysOfMonth.length > 0 ? daysOfMonth : readDates(text, inField);
    if (first?.kind !== 'date' || second !== undefined) return null;
    const rest = text.slice(0, first.start) + text.slice(first.end);
    return rest.trim() === '' ? { date: first.date, time: first.time } : null;
  },
};

/** «every week until 30 June», «every week 9:00 until 30 June»: the end may be a second piece. */
function withEnd(text: string, piece: Piece, options: GrammarOptions): Piece[] {
  const mark = piece.kind === 'repeat' ? untilStart.exec(text.slice(piece.end)) : null;
  if (piece.kind !== 'repeat' || mark === null) return [piece];
  const start = piece.end + mark[0].length;
  const found = longestDateAt(text, start + text.slice(start).search(/\s/u) + 1, options);
  if (found === undefined) return [piece];
  const recurrence = { ...piece.recurrence, until: found.date };
  const { end } = found;
  if (mark.groups?.time === undefined) return [{ ...piece, end, recurrence }];
  return [
    { ...piece, recurrence },
    { kind: 'repeat', start, end, recurrence },
  ];
}

const countWords = ['', 'one', 'two', 'three', 'four', 'five', 'six'];

/** «every day for 2 weeks», «every day 9:00 for 10 days»: the end is counted from the first day. */
function withLength(text: string, pieces: readonly Piece[], options: GrammarOptions): Piece[] {
  const unread = maskSpans(text, pieces);
  const [match] = unread.matchAll(lengthPattern);
  const { start, end } = match === undefined ? { start: 0, end: 0 } : spanOf(match);
  const repeat = pieces.findLast((piece) => piece.kind === 'repeat' && piece.end < start);
  const isBehind = !/[^\s"]/u.test(unread.slice(repeat?.end, start));
  if (repeat?.kind !== 'repeat' || !isBehind || repeat.recurrence.until !== undefined) return [...pieces];
  const first = datesOf(pieces, options.now).dueDate ?? options.now.date;
  const recurrence = { ...repeat.recurrence, until: lastDay(first, match?.groups ?? {}) };
  return [
    ...pieces.map((piece) => (piece === repeat ? { ...repeat, recurrence } : piece)),
    { kind: 'repeat', start, end, recurrence },
  ];
}

function lastDay(first: string, { count = '', unit }: Record<string, string | undefined>): string {
  const number = /\d/u.test(count) ? Number(count) : Math.max(1, countWords.indexOf(count.toLowerCase()));
  if (unit === 'day') return addDays(first, number - 1);
  if (unit === 'week') return addDays(first, 7 * number - 1);
  const months = unit === 'month' ? number : 12 * number;
  const dayBefore = addDays(startOfMonth(first, months), Number(first.slice(8)) - 2);
  // A repeat on a day that the month does not have comes on its last one: that is the first to be left out.
  const beforeLast = addDays(startOfMonth(first, months + 1), -2);
  return dayBefore < beforeLast ? dayBefore : beforeLast;
}

/** «!30 nov», «deadline: friday». */
function readDeadlines(text: string, options: GrammarOptions): Piece[] {
  return [...text.matchAll(deadlineStart)].flatMap(({ 0: mark, index }) => {
    const found = longestDateAt(text, index + mark.length, options);
    return found === undefined ? [] : [{ kind: 'deadline', start: index, ...found } as const];
  });
}

/** The longest run of words from there that is a date without a time. */
function longestDateAt(
  text: string,
  start: number,
  options: GrammarOptions,
): { end: number; date: string } | undefined {
  const words = [...text.slice(start).matchAll(/[^\s),;]+/gu)].slice(0, longestDate);
  const ends = words.map((word) => start + word.index + word[0].replace(/[.:!?]$/u, '').length).toReversed();
  for (const end of ends) {
    const found = englishGrammar.readDate(text.slice(start, end), options);
    if (found?.time === null) return { end, date: found.date };
  }
  return undefined;
}

function readSomeday(text: string): Piece[] {
  const match = somedayAtEnd.exec(text);
  if (match === null) return [];
  return [{ kind: 'someday', start: match.index, end: match.index + match[0].length }];
}
