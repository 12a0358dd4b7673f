import type { Page } from '../http/page.ts';
import type { Task } from '../tasks/task-entity.ts';
import { describeTasks, timeFactsOf, withoutAbsent } from './brief-task.ts';
import { describeLine } from './describe-line.ts';
import { describeCount, describeToday } from './page-text.ts';
import type { ToolCall } from './tool.ts';

/** A page of tasks as an answer. `ending`: the last lines of its text, which say how the list goes on. */
export async function tellPage(
  { session }: Pick<ToolCall, 'session'>,
  { items, nextCursor }: Page<Task>,
  ending: readonly string[],
) {
  const tasks = await describeTasks(session, items);
  const head = `${describeToday(session)} ${describeCount(tasks.length, 'task', nextCursor !== null)}`;
  return {
    text: [head, ...tasks.map((task) => `- ${describeLine(task)}`), ...ending].join('\n'),
    content: withoutAbsent({ tasks, nextCursor: nextCursor ?? undefined, ...timeFactsOf(session) }),
  };
}
