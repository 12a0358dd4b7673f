import type { Page, Project, Task } from '#tests/support/api-types.ts';
import type { AccountState } from './account-state.ts';
import { byRank } from './expected-views.ts';
import type { Operation } from './operation.ts';
import { applyOperation } from './reference-model.ts';
import { answerDifferences, bindCreated } from './run-history.ts';
import type { Send, WireResponse } from './send-operation.ts';
import { asText, expectedOf, type Said, saidOf, type WireNames, wireName } from './wire-names.ts';

/*
 * Whether what several clients were told, and what is stored in the end, is explained by some order of their requests,
 * one after the other. Tries all orders in which no request comes before one that had been answered when it was sent.
 */

export type Call = { operation: Operation; response: WireResponse; sentAt: number; answeredAt: number };

/** An account before several clients come, and what it holds after them. */
export type Episode = {
  state: AccountState;
  names: WireNames;
  today: string;
  calls: readonly Call[];
  outcome: SeenOutcome;
};

export type SeenOutcome = { tasks: Task[]; projects: Project[]; lists: Record<SeenList, Task[]> };
const seenLists = ['inbox', 'someday'] as const;
type SeenList = (typeof seenLists)[number];

export async function seeOutcome(send: Send): Promise<SeenOutcome> {
  const read = async <Item>(path: string): Promise<Item[]> => {
    const { status, body } = await send({ method: 'GET', path });
    if (status !== 200) throw new Error(`${path} is answered with ${status}`);
    return (body as Page<Item>).items;
  };
  return {
    tasks: await read<Task>('/tasks?view=all&limit=200'),
    projects: await read<Project>('/projects?limit=200'),
    lists: {
      inbox: await read<Task>('/tasks?view=inbox&limit=200'),
      someday: await read<Task>('/tasks?view=someday&limit=200'),
    },
  };
}

/** The first order found, as indexes of the calls; undefined when no order explains the episode. */
export function explainingOrder(episode: Episode): number[] | undefined {
  return explainRest(episode, episode.state, episode.names, []);
}

function explainRest(
  episode: Episode,
  state: AccountState,
  names: WireNames,
  order: readonly number[],
): number[] | undefined {
  const { calls, today } = episode;
  const left = [...calls.keys()].filter((index) => !order.includes(index));
  if (left.length === 0) return isOutcome(state, names, episode.outcome) ? [...order] : undefined;
  for (const index of left) {
    const call = calls[index];
    if (call === undefined || !mayComeNext(call, left, calls)) continue;
    const { state: next, answer } = applyOperation(state, call.operation, today);
    const known = new Map(names);
    bindCreated(known, answer, call.response);
    if (answerDifferences(next, known, answer, call.response).length > 0) continue;
    const found = explainRest(episode, next, known, [...order, index]);
    if (found) return found;
  }
  return undefined;
}

function mayComeNext(call: Call, left: readonly number[], calls: readonly Call[]): boolean {
  return left.every((index) => (calls[index]?.answeredAt ?? 0) >= call.sentAt);
}

/** Logged occurrences have ids that no client was told: they are known by what they say. */
function isOutcome(state: AccountState, names: WireNames, { tasks, projects, lists }: SeenOutcome): boolean {
  const told = new Set(names.values());
  const withoutUntold = (said: Said): Said => (told.has(String(said.id)) ? said : { ...said, id: undefined });
  const all = Object.values(state.task);
  const expectedTasks = all.map(({ id }) => expectedOf(state, names, 'task', id));
  const expectedProjects = Object.values(state.project)
    .filter(({ inTrash }) => !inTrash)
    .map(({ id }) => expectedOf(state, names, 'project', id));
  const isSameOrder = (list: SeenList): boolean => {
    const named = all.filter((task) => names.has(task.id) && task.rank !== null);
    const live = named.filter((task) => task.status === 'open' && task.trash === null && task.list === list);
    const expected = byRank(live, (id) => wireName(names, id)).map(({ id }) => names.get(id));
    return asText(expected) === asText(lists[list].map(({ id }) => id).filter((id) => told.has(id)));
  };
  return (
    asText(sorted(expectedTasks)) ===
      asText(sorted(tasks.map((task) => withoutUntold(saidOf('task', task))))) &&
    asText(expectedProjects) === asText(projects.map((project) => saidOf('project', project))) &&
    seenLists.every(isSameOrder)
  );
}

function sorted(said: readonly Said[]): string[] {
  return said.map(asText).sort();
}

/** The episode in words, for whoever has to find out how it came about. */
export function describeEpisode({ calls, outcome }: Episode): string {
  const lines = calls.map(
    ({ operation, response, sentAt, answeredAt }) =>
      `${sentAt.toFixed(1)}–${answeredAt.toFixed(1)} ms ${asText(operation)} → ${response.status} ${asText(response.body)}`,
  );
  return [...lines, 'afterwards', ...outcome.tasks.map((task) => asText(saidOf('task', task)))].join('\n');
}
