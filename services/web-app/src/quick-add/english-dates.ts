import { type Component, casual, GB, type ParsedResult } from 'chrono-node/en';
import { addDays, weekday } from '../dates/civil-date.ts';
import { startOfMonth } from '../dates/start-of-month.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import { dateParsers, isMonthFirst } from './date-parsers.ts';
import {
  bareHour,
  dayOfMonth,
  lastOfMonth,
  namedDay,
  numberOfMonth,
  severalDays,
  weekdayAndDay,
} from './english-patterns.ts';
import { type GrammarOptions, maskSpans, type Piece, type Span, spanOf } from './piece.ts';

type DatePiece = Extract<Piece, { kind: 'date' | 'time' }>;

const joinedBefore = /(?:^|\s)(?:on|by|at|@|in|for|due|coming|this coming|starting(?: on)?)\s+$/iu;
const prepositionBefore = /(?:^|\s)(?:on|by|at|in|for|due|this|next|from|coming)\s+$/iu;
/** Names that are also words, or start longer ones: dates only after a preposition or with a number. */
const isAlsoWord = /^(?:march|april|may|june|sun|sat|weekend)$/iu;
/** «Brunch sun», but «walk in the sun». */
const isDayAtEnd = /^(?:sun|sat)$/iu;
const endAfterDay = /^\s*(?:(?:at|@)\s+\d{1,2}\s*)?:?$/iu;
const articleBefore = /(?:^|\s)(?:an?|the|of|in|and|i|you|he|she|it|we|they)\s+$/iu;
/** «before friday» is another day, «friday 13th» is none. */
const otherDayBefore = /^(?:before|after|until|till|since|except|but)$/iu;
const ordinalAfter = /^,?\s(?:the\s)?\d{1,2}(?:st|nd|rd|th)(?![\p{L}\p{N}])/iu;
/** «friday the 13th» may be the name of one; a day that is planned by it is not far away. */
const farthestWeekdayAndDay = 62;
/** «5 minutes», «two weeks» are lengths, unless «in» says when. */
const startsRelative = /^(?:in|within|next|this|coming)\s/iu;
const startsDelay = /^in\s/iu;
/** «a week from friday», «the first monday of december», «mid december» are other days. */
const isOtherDay = /(?:^|\s)(?:(?:day|week|month|year)s?\s(?:from|before|after)|of|mid)\s$/iu;
const isPast = /^(?:last|past|previous)\b|\bago\b/iu;
/** Beside a day it is a time as it is typed, unless it begins an address: «at 9 Elm Street». */
const beside = /^,?\s+$/u;
const addressAfter = /^\s+\p{Lu}/u;
/** «at 18» is a time beside a day alone: «look at 18 rooms». */
const isHourAlone = /^at\s+\d+$/iu;
/** «1.12.» could be a version at the end of a sentence, «14.12.» hardly. */
const isDotted = /^\d+\.\s?\d+\.$/u;
const isShortDotted = /^(?!\d\d\.\s?\d\d\.)\d+\.\s?\d+\.$/u;
const versionBefore = /(?:^|\s)(?:version|release|ship|chapter|section)\s+$/iu;
/** «10», «3.50», «from 10»: without «at» numbers count or name something. */
const bareNumber = /^(?:from\s*)?\d{1,4}(?:\.\d{1,2})?(?:\s+[ap]|\s*o['’]?clock)?$/iu;
/** One day of several: «every Friday», «the first Friday of March». */
const oneOfSeveral = /^(?:every|each|first|second|third|fourth|1st|2nd|3rd|4th)$/iu;
/** Fractions and «24/7» are dates only where a preposition says so. */
const isFraction = /^(?:24\/7|[1-3]\/[2-4])$/u;
/** «5/6 of the bill». */
const isSlashed = /^\d+\/\d+$/u;
const partAfter = /^\s+of\s/iu;
const casualTimes = { morning: '09:00', afternoon: '15:00', evening: '19:00', tonight: '20:00' };
export const dayPartTimes: Record<string, string> = { ...casualTimes, night: casualTimes.tonight };
const dayParts: readonly Component[] = ['day', 'weekday', 'month'];

/** Dates and times in the text, in its order. */
export function readDates(text: string, options: GrammarOptions): DatePiece[] {
  const plain = (options.isDateField ? [] : [bareHour, namedDay, severalDays]).flatMap((expression) =>
    [...text.matchAll(expression)].map(spanOf),
  );
  return readWithChrono(text, plain, options)
    .map((piece) => ({ ...piece, start: startWithPreposition(text, piece.start) }))
    .toSorted((left, right) => left.start - right.start);
}

/** «tomorrow at 9», «at 9 every day»: hours without minutes beside a day among these pieces. */
export function readBareHours(text: string, pieces: readonly Piece[]): Piece[] {
  const days = pieces.filter(({ kind }) => kind === 'date' || kind === 'repeat');
  return [...text.matchAll(bareHour)].flatMap((match) => {
    const { start, end } = spanOf(match);
    const isBeside = days.some(
      (day) => beside.test(text.slice(day.end, start)) || beside.test(text.slice(end, day.start)),
    );
    const isFree = pieces.every((piece) => piece.end <= start || piece.start >= end);
    if (!isBeside || !isFree || addressAfter.test(text.slice(end))) return [];
    return [{ kind: 'time', start, end, time: `${match.groups?.hour?.padStart(2, '0')}:00` }];
  });
}

/** Days of a month without its name: the next such day. Read before repeats are taken out of the text. */
export function readDaysOfMonth(text: string, { now }: GrammarOptions): DatePiece[] {
  const named = [...text.matchAll(weekdayAndDay)].map((match) => ({
    match,
    date: agreeingDay(match, now.date),
  }));
  const numbered = [dayOfMonth, numberOfMonth, lastOfMonth]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map((match) => ({
      match,
      // A series that begins on a 31st is on the last day of every month.
      date: nextDayOfMonth(Number(match.groups?.day ?? 31), now.date),
    }));
  return [...named, ...numbered].flatMap(({ match, date }) => {
    return date === undefined ? [] : [{ kind: 'date' as const, ...spanOf(match), date, time: null }];
  });
}

function agreeingDay({ groups }: RegExpExecArray, today: string): string | undefined {
  const number = weekdayNames.findIndex((name) => name.startsWith(groups?.weekday?.toLowerCase() ?? '')) + 1;
  const days = Array.from({ length: farthestWeekdayAndDay }, (_, offset) => addDays(today, offset));
  return days.find((day) => weekday(day) === number && Number(day.slice(8)) === Number(groups?.day));
}

function nextDayOfMonth(day: number, today: string): string | undefined {
  const months = [0, 1, 2].map((count) => startOfMonth(today, count));
  return months
    .map((first) => ({ first, date: addDays(first, day - 1) }))
    .find(({ first, date }) => date >= today && date.slice(0, 7) === first.slice(0, 7))?.date;
}

function readWithChrono(text: string, plain: readonly Span[], options: GrammarOptions): DatePiece[] {
  const chrono = ((options.monthBeforeDay ?? isMonthFirst) ? casual : GB).clone();
  chrono.parsers.unshift(...dateParsers(options));
  // Else a day without a time is at noon, and in the afternoon «friday» is no more today.
  chrono.refiners.unshift({
    refine: (_context, results) => {
      for (const { start } of results)
        if (!start.isCertain('hour')) start.imply('hour', 23).imply('minute', 59);
      return results;
    },
  });
  // Before chrono-node joins them with the day beside them.
  if (!options.isDateField)
    chrono.refiners.unshift({
      refine: (_context, results) => results.filter((result) => !isNoTime(result)),
    });
  chrono.refiners.push({
    refine: (_context, results) => results.filter((result) => isPlan(text, result, options)),
  });
  return chrono
    .parse(maskSpans(text, plain), civilReference(options), { forwardDate: true })
    .flatMap((result) => {
      const piece = toPiece(result, options);
      return piece === null ? [] : [{ ...piece, ...innerSpan(result) }];
    });
}

/** Numbers, and times from one to another. */
function isNoTime({ text, start, end }: ParsedResult): boolean {
  return bareNumber.test(text) || (Boolean(end) && !dayParts.some((part) => start.isCertain(part)));
}

/** Without the brackets and commas that chrono-node takes along on one side. */
function innerSpan({ index, text }: ParsedResult): Span {
  const start = index + text.search(/[\p{L}\p{N}]/u);
  const [inner = ''] = /^.*[^\s,)）]/su.exec(text) ?? [];
  return { start, end: index + inner.length };
}

/** A date of the device with the account's civil fields: chrono-node counts in the device's time zone. */
function civilReference({ now }: GrammarOptions): Date {
  const [year = 0, month = 1, day = 1] = now.date.split('-').map(Number);
  const [hour = 0, minute = 0] = now.time.split(':').map(Number);
  return new Date(year, month - 1, day, hour, minute);
}

/** Whether the words say when something is to be done, rather than how long it takes or what it is about. */
function isPlan(text: string, result: ParsedResult, { isDateField = false }: GrammarOptions): boolean {
  const before = text.slice(0, result.index);
  const after = text.slice(result.index + result.text.length);
  // chrono-node sets `end` to null or leaves it out.
  if (result.end || (result.start.isCertain('timezoneOffset') && !isDelay(result))) return false;
  const lastWord = before.trimEnd().split(/\s+/u).at(-1) ?? '';
  if (isPast.test(result.text) || isPast.test(lastWord) || /^\s*ago\b/iu.test(after)) return false;
  if (isOtherDay.test(before)) return false;
  if (/[\p{L}\p{N}.'‘/–-]$/u.test(before) || /^[.'’–/-]?[\p{L}\p{N}]/u.test(after)) return false;
  if (otherDayBefore.test(lastWord) || (isSlashed.test(result.text) && partAfter.test(after))) return false;
  if (result.start.isCertain('weekday') && (oneOfSeveral.test(lastWord) || ordinalAfter.test(after)))
    return false;
  return !isWordOrLength(before, after, result, isDateField);
}

/** «in 2 hours»: chrono-node says the zone, too. No reminder comes at a second. */
function isDelay({ text, start }: ParsedResult): boolean {
  return startsDelay.test(text) && start.get('second') === 0;
}

function isWordOrLength(before: string, after: string, result: ParsedResult, isDateField: boolean): boolean {
  const tags = result.tags();
  if (tags.has('casualReference/now')) return true;
  if (tags.has('result/relativeDate')) return !startsRelative.test(result.text);
  const isAtEnd = endAfterDay.test(after) && before.trim() !== '' && !articleBefore.test(before);
  if (isAtEnd && isDayAtEnd.test(result.text)) return false;
  const isOther = [isAlsoWord, isFraction, isHourAlone, isShortDotted].some((words) =>
    words.test(result.text),
  );
  const isVersion = isDotted.test(result.text) && versionBefore.test(before);
  return isVersion || (isOther && !isDateField && !prepositionBefore.test(before));
}

/** Null for what is past: it is what a task is about, not when it is planned. */
function toPiece(result: ParsedResult, { now }: GrammarOptions): DatePiece | null {
  const { start } = result;
  const span = { start: result.index, end: result.index + result.text.length };
  const saysDay = result.tags().has('result/relativeDate') || dayParts.some((part) => start.isCertain(part));
  const time = timeOf(result, saysDay || isLaterToday(result, now));
  if (!saysDay) return time === null ? null : { kind: 'time', ...span, time };
  const date = [
    digits(start.get('year'), 4),
    digits(start.get('month'), 2),
    digits(start.get('day'), 2),
  ].join('-');
  return date < now.date || date.length > 10 ? null : { kind: 'date', ...span, date, time };
}

function timeOf(result: ParsedResult, saysDay: boolean): string | null {
  const { start } = result;
  if (start.isCertain('hour')) return `${digits(start.get('hour'), 2)}:${digits(start.get('minute'), 2)}`;
  return saysDay ? (casualTimeOf(result) ?? null) : null;
}

function casualTimeOf(result: ParsedResult): string | undefined {
  const tags = result.tags();
  return Object.entries(casualTimes).find(([name]) => tags.has(`casualReference/${name}`))?.[1];
}

/** «this evening», unless that is past. */
function isLaterToday(result: ParsedResult, now: GrammarOptions['now']): boolean {
  return /^this\s/iu.test(result.text) && (casualTimeOf(result) ?? '') > now.time;
}

function digits(value: number | null, length: number): string {
  return String(value ?? 0).padStart(length, '0');
}

function startWithPreposition(text: string, start: number): number {
  const before = text.slice(0, start);
  const [joined = ''] = joinedBefore.exec(before) ?? [];
  return start - joined.trimStart().length;
}
