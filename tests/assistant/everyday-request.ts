import type { ExecutionContext } from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { type Desk, filledIn, projectsOf, resultsOf } from './desk.ts';

/** One thing a person says, the calls a model makes of it, and how the tasks are afterwards. */
export type EverydayRequest = {
  says: string;
  /** What is there beside the furnished desk; ids of what was made can be named in the calls. */
  before?(desk: Desk): Promise<Record<string, string>>;
  /**
   * At most three. `id:Buy milk` stands for the id that a call before, or the furnished account, gave; `id:call` and
   * `id:change` for those of the newest call in the last answer.
   */
  calls: readonly { tool: string; input: object }[];
  /** Members of tasks afterwards, by title, as the API shows them. */
  tasks?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What the last answer says, and what it does not. */
  hears?: readonly RegExp[];
  hearsNot?: readonly RegExp[];
};

export const find = (input: object) => ({ tool: 'find_tasks', input });
export const add = (...tasks: object[]) => ({ tool: 'add_tasks', input: { tasks } });
export const plan = (...tasks: object[]) => ({ tool: 'reschedule_tasks', input: { tasks } });
export const change = (...changes: object[]) => ({ tool: 'change_tasks', input: { changes } });
export const close = (status: string, ...ids: string[]) => ({
  tool: 'set_task_status',
  input: { ids, status },
});
export const undo = (...changes: string[]) => ({
  tool: 'undo',
  input: changes.length === 0 ? { latest: true } : { changes },
});

/** Calls of the assistant before the request. */
export const make =
  (...calls: readonly { tool: string; input: object }[]) =>
  async ({ assistant, ids }: Desk): Promise<Record<string, string>> => {
    const made: Record<string, string> = {};
    for (const { tool, input } of calls) {
      const result = await assistant.call(
        tool,
        JSON.parse(filledIn(JSON.stringify(input), { ...ids, ...made })),
      );
      if (result.isError) throw new Error(result.text);
      const { id, title } = result.content;
      const saved = projectsOf(result).map((task) => ({ task }));
      for (const { task } of [{ task: { id, title } }, ...saved, ...resultsOf(result)])
        if (typeof task?.title === 'string') made[task.title] = String(task.id);
    }
    return made;
  };

export async function checkRequest(
  t: ExecutionContext,
  { calls, before, tasks = {}, hears = [], hearsNot = [] }: EverydayRequest,
  desk: Desk,
): Promise<void> {
  t.true(calls.length <= 3);
  const ids: Record<string, string> = { ...desk.ids, ...(await before?.(desk)) };
  let heard = '';
  for (const { tool, input } of calls) {
    const sent = JSON.parse(filledIn(JSON.stringify(input), ids));
    const result = await desk.assistant.call(tool, sent);
    t.false(result.isError, result.text);
    for (const { ok } of resultsOf(result)) t.true(ok, result.text);
    const { id, title, call, calls: listed } = result.content;
    if (typeof title === 'string') ids[title] = String(id);
    for (const project of projectsOf(result)) ids[project.title] = project.id;
    const [newest] = (listed ?? []) as { call: string; changes: { change: string }[] }[];
    Object.assign(ids, { call: newest?.call ?? call, change: newest?.changes[0]?.change });
    heard = result.text;
  }
  for (const words of hears) t.regex(heard, words);
  for (const words of hearsNot) t.notRegex(heard, words);
  const { body } = await desk.api.get<{ items: Task[] }>('/tasks?view=all&limit=200');
  for (const [title, members] of Object.entries(tasks)) {
    const wanted = JSON.parse(filledIn(JSON.stringify(members), ids));
    // A completed occurrence of a repeating task is a task of its own.
    const task = body.items.find(
      (item) => item.title === title && item.status === (wanted.status ?? item.status),
    );
    t.like(task, wanted, title);
  }
}
