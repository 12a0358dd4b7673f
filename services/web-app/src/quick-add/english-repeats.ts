import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import { dayPartTimes } from './english-dates.ts';
import {
  dayAndMonth,
  dayPartPattern,
  everyPattern,
  nounBehind,
  weekOfMonthPattern,
} from './english-patterns.ts';
import { maskSpans, type Piece } from './piece.ts';

// biome-ignore format: pairs
const weeksOfMonth = new Map([
  ['first', 1], ['1st', 1], ['second', 2], ['2nd', 2], ['third', 3], ['3rd', 3], ['fourth', 4], ['4th', 4],
  ['last', -1],
]);
// Sticky: each is tried right behind what was read.
const workdayPattern = /(?:week|work|working )days?(?![\p{L}\p{N}])/iuy;
const unitPattern = /(?:(?:day|week|month|quarter|year)s?|weekend)(?![\p{L}\p{N}])/iuy;
const weekdayPattern =
  /(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|nesday|rsday|sday|urday)?s?(?![\p{L}\p{N}])/iuy;
const everyAtEnd = /(?<![\p{L}\p{N}])(?:every|each)(?<completion>!)?\s+$/iu;
const dayAlone = /^(?:the )?(?:\d{1,2}(?:st|nd|rd|th)|last day)/iu;
const separatorPattern = /\s{0,3}(?:[,&–-]|\b(?:and|to|through)\b)\s{0,3}|\s{1,3}/iuy;
const exceptPattern = /day\s+(?:except|but(?:\s+not)?)(?:\s+(?:on|for))?\s+/iuy;
/** «monday to friday» is all days between them, too. */
const dayOrRange = /(?<range>(?:[–-]|\bto\b|\bthrough\b)\s*)?\b(?<day>mon|tue|wed|thu|fri|sat|sun)/giu;
const adverbPattern =
  /(?<![\p{L}\p{N}-])(?:daily|weekly|fortnightly|monthly|quarterly|yearly|annually)(?![\p{L}\p{N}-])/giu;
const onPattern = /\s+on\s+/iuy;
const completionPattern =
  /\s(?:after|from) (?:completion|done|(?:completing|finishing|doing) it)(?![\p{L}\p{N}])/iuy;
const units = {
  day: rule('daily', 1, [], false),
  weekend: rule('weekly', 1, ['saturday'], false),
  week: rule('weekly', 1, [], false),
  month: rule('monthly', 1, [], false),
  quarter: rule('monthly', 3, [], false),
  year: rule('yearly', 1, [], false),
};
const adverbs = new Map([
  ['daily', units.day],
  ['weekly', units.week],
  ['fortnightly', rule('weekly', 2, [], false)],
  ['monthly', units.month],
  ['quarterly', units.quarter],
  ['yearly', units.year],
  ['annually', units.year],
]);

/** «every 3 months», «every! other friday», «every mon, thu», «monthly». */
export function readRepeats(text: string): Piece[] {
  const weeks = [...text.matchAll(weekOfMonthPattern)].flatMap(readWeekOfMonth);
  return [...weeks, ...readPlainRepeats(maskSpans(text, weeks))];
}

function readWeekOfMonth({ 0: found, index, groups }: RegExpExecArray): Piece[] {
  const { before = '', week = '', day = '', after = '' } = groups ?? {};
  const around = `${before}${after}`;
  const weekOfMonth = weeksOfMonth.get(week.toLowerCase());
  // «every second monday» is every other one.
  const isOfMonth = /month/iu.test(around) || !/^(?:second|2nd)$/iu.test(week);
  const isRepeat = /every|each|monthly/iu.test(around) && isOfMonth;
  if (weekOfMonth === undefined || !isRepeat) return [];
  const recurrence = { ...rule('monthly', 1, weekdaysOf(day), false), weekOfMonth };
  return piece(index, index + found.length, recurrence);
}

function readPlainRepeats(text: string): Piece[] {
  const every = [...text.matchAll(everyPattern)].flatMap((match) => {
    const start = match.index + match[0].length;
    const found = readUnit(text, start);
    if (found === null) return readEveryDayPart(text, match);
    const end = endOf(completionPattern, text, found.end);
    const completion = end > found.end ? '!' : match.groups?.completion;
    const read = piece(match.index, end, everyRule({ ...match.groups, ...found.groups, completion }));
    return read.length === 0 || found.groups.unit !== undefined ? read : [...read, ...readDayPart(text, end)];
  });
  const said = [...text.matchAll(adverbPattern)].flatMap(({ 0: found, index }) =>
    piece(index, index + found.length, adverbs.get(found.toLowerCase()) ?? null),
  );
  const repeats = [...every, ...said].map((each) => withWeekdays(text, each));
  // «on mondays» alone is one, too.
  return repeats.filter(({ start, end }) => !repeats.some((each) => each.start < start && each.end >= end));
}

/** «every 2 weeks on monday and thursday»; of one weekday alone the date is read. */
function withWeekdays(text: string, piece: Piece): Piece {
  if (piece.kind !== 'repeat' || piece.recurrence.frequency !== 'weekly') return piece;
  const start = endOf(onPattern, text, piece.end);
  const end = start > piece.end ? endOfWeekdays(text, start) : start;
  const weekdays = weekdaysOf(text.slice(start, end));
  if (piece.recurrence.weekdays.length > 0 || weekdays.length < 2) return piece;
  return { ...piece, end, recurrence: { ...piece.recurrence, weekdays } };
}

/** No rule has «every jan 5 and jul 5», so none of it is read. */
export function withoutSeveralDates(text: string, pieces: readonly Piece[]): Piece[] {
  const dates = pieces.filter(({ kind }) => kind === 'date');
  const several = dates.flatMap((first) => {
    const next = dates.find(
      ({ start }) => start > first.end && /^\s*(?:,|&|and)\s*$/iu.test(text.slice(first.end, start)),
    );
    return next !== undefined && everyAtEnd.test(text.slice(0, first.start)) ? [first, next] : [];
  });
  return pieces.filter((piece) => !several.includes(piece));
}

/** «Review the monthly budget»: between other words it says what kind of a thing that is. */
export function withoutAdjectives(text: string, pieces: readonly Piece[]): Piece[] {
  const unread = maskSpans(text, pieces);
  const isAdjective = ({ start, end }: Piece) =>
    adverbs.has(text.slice(start, end).toLowerCase()) &&
    /\p{L}/u.test(unread.slice(0, start)) &&
    nounBehind.test(unread.slice(end));
  return pieces.filter((piece) => !isAdjective(piece));
}

/** «every» right before a date: «24 Dec» comes every year, «15th» every month. */
export function readRepeatedDates(text: string, dates: readonly Piece[]): Piece[] {
  return dates.flatMap(({ kind, start, end }) => {
    const every = everyAtEnd.exec(text.slice(0, start));
    if (kind !== 'date' || every === null) return [];
    const date = text.slice(start, end);
    const frequency = dayAndMonth.test(date) ? 'yearly' : dayAlone.test(date) ? 'monthly' : undefined;
    const recurrence = frequency && rule(frequency, 1, [], every.groups?.completion !== undefined);
    return recurrence === undefined
      ? []
      : piece(every.index, every.index + every[0].trimEnd().length, recurrence);
  });
}

/** «every morning»: every day at that time. */
function readEveryDayPart(text: string, { 0: every, index, groups }: RegExpExecArray): Piece[] {
  const end = index + every.trimEnd().length;
  const part = readDayPart(text, end);
  if (part.length === 0 || groups?.count !== undefined) return [];
  return [...piece(index, end, rule('daily', 1, [], groups?.completion !== undefined)), ...part];
}

/** «evening», «evening at 7» behind a repeat. */
function readDayPart(text: string, at: number): Piece[] {
  dayPartPattern.lastIndex = at;
  const { 0: found = '', groups } = dayPartPattern.exec(text) ?? {};
  const part = groups?.part?.toLowerCase();
  if (part === undefined) return [];
  const hour = Number(groups?.hour) + (part === 'morning' ? 0 : 12);
  const said = `${String(hour).padStart(2, '0')}:${groups?.minute ?? '00'}`;
  const time = groups?.hour === undefined ? (dayPartTimes[part] ?? '') : said;
  return [{ kind: 'time', start: at + found.search(/\S/u), end: at + found.length, time }];
}

/** What is repeated: working days, a unit, or weekdays one after the other. */
function readUnit(text: string, at: number): { end: number; groups: Record<string, string> } | null {
  const named = (name: string, end: number) =>
    end > at ? { end, groups: { [name]: text.slice(at, end) } } : null;
  return (
    named('weekdays', endOf(workdayPattern, text, at)) ??
    named('daysLeftOut', endOfDaysLeftOut(text, at)) ??
    named('unit', endOf(unitPattern, text, at)) ??
    named('days', endOfWeekdays(text, at))
  );
}

/** «day except sunday». */
function endOfDaysLeftOut(text: string, at: number): number {
  const days = endOf(exceptPattern, text, at);
  const end = days > at ? endOfWeekdays(text, days) : days;
  return end > days ? end : at;
}

function endOfWeekdays(text: string, at: number): number {
  let end = endOf(weekdayPattern, text, at);
  for (let next = end; next > at; ) {
    const day = endOf(separatorPattern, text, end);
    next = day > end ? endOf(weekdayPattern, text, day) : day;
    if (next <= day || day === end) break;
    end = next;
  }
  return end;
}

/** Where the match that begins here ends; here, when there is none. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}

function piece(start: number, end: number, recurrence: AppRecurrence | null): Piece[] {
  return recurrence === null ? [] : [{ kind: 'repeat', start, end, recurrence }];
}

function everyRule(groups: Record<string, string | undefined>): AppRecurrence | null {
  const fromCompletion = groups.completion !== undefined;
  const interval = intervalOf(groups.count?.toLowerCase() ?? '1');
  if (interval < 1) return null;
  if (groups.weekdays !== undefined) return rule('weekly', 1, weekdayNames.slice(0, 5), fromCompletion);
  if (groups.daysLeftOut !== undefined) {
    const leftOut = weekdaysOf(groups.daysLeftOut);
    const others = weekdayNames.filter((name) => !leftOut.includes(name));
    return interval > 1 ? null : rule('weekly', 1, others, fromCompletion);
  }
  if (groups.days !== undefined) return rule('weekly', interval, weekdaysOf(groups.days), fromCompletion);
  const unit = Object.entries(units).find(([name]) => groups.unit?.toLowerCase().startsWith(name));
  return unit === undefined ? null : { ...unit[1], interval: interval * unit[1].interval, fromCompletion };
}

// biome-ignore format: pairs
const counts = new Map([
  ['other', 2], ['two', 2], ['second', 2], ['three', 3], ['third', 3], ['four', 4], ['six', 6],
]);

function intervalOf(count: string): number {
  return counts.get(count) ?? Number.parseInt(count, 10);
}

function weekdaysOf(words: string): string[] {
  const days: number[] = [];
  for (const { groups } of words.matchAll(dayOrRange)) {
    const day = weekdayNames.findIndex((name) => name.startsWith(groups?.day?.toLowerCase() ?? ''));
    const last = days.at(-1);
    const isRange = groups?.range !== undefined && last !== undefined;
    const between = isRange ? Array.from({ length: (day - last + 6) % 7 }, (_, step) => last + step + 1) : [];
    days.push(...between.map((each) => each % 7), day);
  }
  return weekdayNames.filter((_, day) => days.includes(day));
}

function rule(
  frequency: AppRecurrence['frequency'],
  interval: number,
  weekdays: string[],
  fromCompletion: boolean,
): AppRecurrence {
  return { frequency, interval, weekdays, fromCompletion };
}
