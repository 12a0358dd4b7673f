import type { Parser } from 'chrono-node/en';
import { addDays, weekday } from '../dates/civil-date.ts';
import { startOfMonth } from '../dates/start-of-month.ts';
import { leapDay, monthThenDay } from './english-patterns.ts';
import type { GrammarOptions } from './piece.ts';

const relativeDay = /(?<![\p{L}\p{N}])(?:next week|(?:the )?day after tomorrow)(?![\p{L}\p{N}])/iu;
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayThenMonth = /(?<![\p{L}\p{N}.])(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.(?:\s?(?<year>\d{4}))?(?!\d)/u;

export const isMonthFirst =
  monthAndDay(globalThis.navigator?.language)
    .formatToParts()
    .find(({ type }) => type !== 'literal')?.type === 'month';

/** Some browsers on Linux have a language that `Intl` throws at, such as «C». */
function monthAndDay(language?: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(language, { month: 'numeric', day: 'numeric' });
  } catch {
    return monthAndDay();
  }
}

/** What chrono-node reads otherwise than people mean it, or only in part. They go before its own parsers. */
export function dateParsers({ now, monthBeforeDay = isMonthFirst }: GrammarOptions): Parser[] {
  const relative = dayParser(relativeDay, ([words]) =>
    /^next/iu.test(words) ? addDays(now.date, 8 - weekday(now.date)) : addDays(now.date, 2),
  );
  // The next one, whichever year that is: chrono-node looks at this year alone, or takes 29 for a year.
  const leap = dayParser(leapDay, () => nextLeapDay(now.date));
  // In British order chrono-node takes «Dec 24» for the December of 2024.
  const british: Parser = {
    pattern: () => monthThenDay,
    extract: (_context, { groups }) => ({
      month: months.indexOf(String(groups?.month).slice(0, 3).toLowerCase()) + 1,
      day: Number(groups?.day),
    }),
  };
  const dotted: Parser = {
    pattern: () => dayThenMonth,
    extract: (_context, { groups }) => ({
      ...(groups?.year && { year: Number(groups.year) }),
      month: Number(groups?.month),
      day: Number(groups?.day),
    }),
  };
  return [relative, leap, dotted, ...(monthBeforeDay ? [] : [british])];
}

function dayParser(pattern: RegExp, dateOf: (match: RegExpMatchArray) => string): Parser {
  return {
    pattern: () => pattern,
    extract(_context, match) {
      const [year, month, day] = dateOf(match).split('-').map(Number);
      return { ...(year && { year }), ...(month && { month }), ...(day && { day }) };
    },
  };
}

function nextLeapDay(today: string): string {
  const firsts = Array.from({ length: 100 }, (_, count) => startOfMonth(today, count));
  const days = firsts.filter((first) => first.slice(5, 7) === '02').map((first) => addDays(first, 28));
  return days.find((day) => day >= today && day.endsWith('-02-29')) ?? today;
}
