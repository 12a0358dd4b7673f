import type { Session } from '../session.ts';
import { timeFactsOf } from './brief-task.ts';

/** What the member `nextCursor` of a page says. */
export const nextPage = 'There are more: call again with this cursor and the same input.';

/** What a person's «tomorrow» is worked out from; also for whom the text of an answer is all there is. */
export function describeToday(session: Session): string {
  const { today, timezone } = timeFactsOf(session);
  return `Today is ${today} (${timezone}).`;
}

/** «30 tasks, and there are more:» */
export function describeCount(count: number, noun: string, hasMore: boolean): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}${hasMore ? ', and there are more' : ''}:`;
}

/** The last line of a page that is not the last. */
export function describeNextPage(nextCursor: string | null): string[] {
  if (nextCursor === null) return [];
  return [`For the next ones call again with the same input and cursor ${nextCursor}`];
}

/** They are the last of a text: whatever stands in them, nothing of ours comes after. */
export function describeNotes(notes: string | null): string[] {
  return notes === null ? [] : ['Notes:', notes];
}
