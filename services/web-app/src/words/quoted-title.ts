import { plural } from './plural.ts';

const longestQuoted = 60;

/** A title within a sentence: a long one is cut, so that what is said of it stays in view. */
export function quotedTitle(title: string): string {
  return `“${cutTitle(title)}”`;
}

export function cutTitle(title: string): string {
  return cutText(title, longestQuoted);
}

/** Counts what is read as one character, such as an emoji of several. */
export function cutText(text: string, longest: number): string {
  let count = 0;
  for (const { index } of new Intl.Segmenter().segment(text)) {
    if (count === longest) return `${text.slice(0, index).trimEnd()}…`;
    count += 1;
  }
  return text;
}

export const taskCount = (count: number) => plural(count, { one: '# task', other: '# tasks' });

/** One title in quotes, several as a count. */
export const quotedTitles = (titles: readonly string[]) =>
  titles.length === 1 ? quotedTitle(titles[0] ?? '') : taskCount(titles.length);
