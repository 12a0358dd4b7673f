import type { Page } from '../http/page.ts';
import type { Session } from '../session.ts';
import type { ListedTask } from '../tasks/task-entity.ts';
import { describeLine, describeTasks, timeFactsOf } from './brief-task.ts';
import { findPassages } from './find-passages.ts';
import type { ToolCall } from './tool.ts';

type PageText = {
  /** The heading; by default the number of tasks on the page. */
  head?: string | undefined;
  /** Lines below the list. */
  ending: readonly string[];
  /** Matching passages are shown for tasks that have these words only in notes or steps. */
  patterns?: readonly string[];
  /** The timestamp shown for each task. */
  time?: 'createdAt' | 'updatedAt' | undefined;
};

/** Formats a page of tasks. */
export async function formatPage(
  { session }: ToolCall,
  { items, nextCursor }: Page<ListedTask>,
  { head, ending, patterns = [], time }: PageText,
) {
  const described = await describeTasks(session, items);
  const passages = await findPassages(
    session,
    items.map(({ id }) => id),
    patterns,
  );
  const tasks = described.map((task, index) => ({
    ...task,
    ...passages.get(task.id),
    ...(time && { [time]: items[index]?.[time] }),
  }));
  const said = head ?? describeCount(tasks.length, 'task', nextCursor !== null);
  return {
    text: [
      `${describeToday(session)} ${said}`,
      ...tasks.map((task) => `- ${describeLine(session, task)}`),
      ...ending,
    ].join('\n'),
    content: { tasks, nextCursor: nextCursor ?? undefined, ...timeFactsOf(session) },
  };
}

/** The date and time, for clients that show a model only the text. */
export function describeToday(session: Session): string {
  const { today, now, timezone } = timeFactsOf(session);
  const [weekday, time] = now.split(' ');
  return `Today is ${weekday} ${today}, ${time} (${timezone}).`;
}

/** «30 tasks, and there are more:», «0 tasks.» */
export function describeCount(count: number, noun: string, hasMore: boolean): string {
  const nouns = `${noun}${count === 1 ? '' : 's'}`;
  return `${count} ${nouns}${hasMore ? ', and there are more' : ''}${count === 0 ? '.' : ':'}`;
}

/** The last line, if there is another page. */
export function describeNextPage(nextCursor: string | null): string[] {
  if (nextCursor === null) return [];
  return [`For the next ones call again with the same input and cursor ${nextCursor}`];
}

/** Notes come last, so that no line of them can be taken for one of ours. */
export function describeNotes(notes: string | null): string[] {
  return notes === null ? [] : ['Notes:', notes];
}
