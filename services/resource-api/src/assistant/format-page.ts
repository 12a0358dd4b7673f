import type { Page } from '../http/page.ts';
import type { Session } from '../session.ts';
import type { ListedTask } from '../tasks/task-entity.ts';
import { findPassage } from '../text-search.ts';
import { type BriefTask, describeLine, describeTasks, timeFactsOf, withoutAbsent } from './brief-task.ts';
import type { ToolCall } from './tool.ts';

/**
 * A page of tasks as an answer. `ending`: the last lines of its text. Of tasks that only have the words of `patterns` in
 * their notes it shows where.
 */
export async function formatPage(
  { session }: Pick<ToolCall, 'session'>,
  { items, nextCursor }: Page<ListedTask>,
  ending: readonly string[],
  patterns: readonly string[] = [],
) {
  const described = await describeTasks(session, items);
  const tasks = described.map((task, index) => withPassage(task, items[index]?.description, patterns));
  const head = `${describeToday(session)} ${describeCount(tasks.length, 'task', nextCursor !== null)}`;
  return {
    text: [head, ...tasks.map((task) => `- ${describeLine(task)}`), ...ending].join('\n'),
    content: withoutAbsent({ tasks, nextCursor: nextCursor ?? undefined, ...timeFactsOf(session) }),
  };
}

function withPassage(
  task: BriefTask,
  notes: string | null | undefined,
  patterns: readonly string[],
): BriefTask {
  const others = patterns.filter((pattern) => !new RegExp(pattern).test(task.title));
  const passage = others.length === 0 ? undefined : findPassage(notes ?? '', others);
  return passage === undefined ? task : { ...task, passage };
}

/** For clients that show a model the text alone. */
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

/** Notes come last in a text, so that nothing in them can pass for a line of ours. */
export function describeNotes(notes: string | null): string[] {
  return notes === null ? [] : ['Notes:', notes];
}
