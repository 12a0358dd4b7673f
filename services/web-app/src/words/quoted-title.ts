import { plural } from './plural.ts';

const longestQuoted = 60;

/** A title within a sentence: a long one is cut, so that what is said of it stays in view. */
export function quotedTitle(title: string): string {
  return `“${cutTitle(title)}”`;
}

export function cutTitle(title: string): string {
  const characters = [...title];
  const isLong = characters.length > longestQuoted;
  return isLong ? `${characters.slice(0, longestQuoted).join('').trimEnd()}…` : title;
}

export const taskCount = (count: number) => plural(count, { one: '# task', other: '# tasks' });

/** One title in quotes, several as a count. */
export const quotedTitles = (titles: readonly string[]) =>
  titles.length === 1 ? quotedTitle(titles[0] ?? '') : taskCount(titles.length);
