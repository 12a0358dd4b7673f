import type { Task } from '#tests/support/api-types.ts';
import { readList } from '../observed-account.ts';
import { dateOf, dayNumber } from '../repeating-series.ts';
import { expectBody, openContenders, type Race, type RaceWorld } from './race.ts';

const first = '2199-01-01';

/** Two to `most` completions of one repeating task at once. */
export function repeatingCompletions(most: number): Race {
  return async (world) => {
    const misses: string[] = [];
    let completions = 0;
    for (let clients = 2; clients <= most; clients += 1) {
      misses.push(...(await completeAtOnce(world, clients)));
      completions += clients;
    }
    return { figures: { parallelCompletions: completions }, misses };
  };
}

async function completeAtOnce(world: RaceWorld, count: number): Promise<string[]> {
  const contenders = await openContenders(world, { clients: count });
  const [send] = contenders.clients;
  if (send === undefined) return [];
  try {
    const fields = { title: 'Repeats', dueDate: first, recurrence: { frequency: 'daily' } };
    const task = await expectBody<Task>(send({ method: 'POST', path: '/tasks', body: fields }), 201);
    const path = `/tasks/${task.id}/complete`;
    const answers = await Promise.all(contenders.clients.map((client) => client({ method: 'POST', path })));
    const all = await readList<Task>(send, '/tasks?view=all');
    return completionFaults(
      task.id,
      answers.map(({ status }) => status),
      all,
    );
  } finally {
    contenders.close();
  }
}

/** What is wrong after as many completions of a task that repeats daily from the first date. */
export function completionFaults(id: string, statuses: readonly number[], all: readonly Task[]): string[] {
  const count = statuses.length;
  const expected = Array.from({ length: count }, (_, index) => dateOf(dayNumber(first) + index)).join();
  const logged = all.filter(({ status }) => status === 'completed');
  const dates = logged.map(({ dueDate }) => dueDate ?? '').sort();
  const open = all.filter(({ status }) => status === 'open');
  const next = dateOf(dayNumber(first) + count);
  const isOneOpen = open.length === 1 && open[0]?.id === id && open[0].dueDate === next;
  return [
    ...(statuses.every((status) => status === 200) ? [] : [`${count} completions are answered ${statuses}`]),
    ...(dates.join() === expected ? [] : [`${count} completions log ${dates}`]),
    ...(isOneOpen
      ? []
      : [`after ${count} completions these are open: ${open.map(({ dueDate }) => dueDate)}`]),
  ];
}
