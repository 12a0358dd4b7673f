import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import type { Piece } from './piece.ts';

const weekdayWord = '(?:mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|nesday|rsday|sday|urday)?s?';
const unitWord = '(?:day|week|month|year)s?';
const separator = '\\s*(?:,|&|\\band\\b)\\s*';
const everyPattern = new RegExp(
  `(?<![\\p{L}\\p{N}])every(?<completion>!)?\\s+(?:` +
    `(?<weekdays>weekdays?)|(?:(?<count>\\d{1,3}|other)\\s+)?(?:(?<unit>${unitWord})` +
    `|(?<days>${weekdayWord}(?:${separator}${weekdayWord})*)))(?![\\p{L}\\p{N}])`,
  'giu',
);
const adverbPattern = /(?<![\p{L}\p{N}-])(?<adverb>daily|weekly|monthly|yearly)(?![\p{L}\p{N}-])/giu;
const frequencies = { day: 'daily', week: 'weekly', month: 'monthly', year: 'yearly' } as const;

/** «every 3 months», «every! other friday», «every mon, thu», «monthly». */
export function readRepeats(text: string): Piece[] {
  const every = [...text.matchAll(everyPattern)].flatMap((match) =>
    piece(match, everyRule(match.groups ?? {})),
  );
  const adverbs = [...text.matchAll(adverbPattern)].flatMap((match) => {
    const frequency = Object.values(frequencies).find((each) => each === match[0].toLowerCase());
    return frequency === undefined ? [] : piece(match, rule(frequency, 1, [], false));
  });
  return [...every, ...adverbs];
}

function piece(match: RegExpExecArray, recurrence: AppRecurrence | null): Piece[] {
  if (recurrence === null) return [];
  return [{ kind: 'repeat', start: match.index, end: match.index + match[0].length, recurrence }];
}

function everyRule(groups: Record<string, string | undefined>): AppRecurrence | null {
  const fromCompletion = groups.completion !== undefined;
  const interval =
    groups.count === undefined ? 1 : groups.count.toLowerCase() === 'other' ? 2 : Number(groups.count);
  if (interval < 1) return null;
  if (groups.weekdays !== undefined) return rule('weekly', 1, weekdayNames.slice(0, 5), fromCompletion);
  if (groups.days !== undefined) return rule('weekly', interval, weekdaysOf(groups.days), fromCompletion);
  const unit = Object.entries(frequencies).find(([name]) => groups.unit?.toLowerCase().startsWith(name));
  return unit === undefined ? null : rule(unit[1], interval, [], fromCompletion);
}

function weekdaysOf(words: string): string[] {
  const starts = words.toLowerCase().match(/\b(mon|tue|wed|thu|fri|sat|sun)/g) ?? [];
  return weekdayNames.filter((name) => starts.some((start) => name.startsWith(start)));
}

function rule(
  frequency: AppRecurrence['frequency'],
  interval: number,
  weekdays: string[],
  fromCompletion: boolean,
): AppRecurrence {
  return { frequency, interval, weekdays, fromCompletion };
}
