import type { Page, Task } from '#tests/support/api-types.ts';
import { expectBody, openContenders, type Race } from './race.ts';

const pageSize = 100;
const writers = 8;

/** A walk over a long list while eight writers complete, move, trash and add: what stays is shown exactly once. */
export function longWalk(tasks: number): Race {
  return async (world) => {
    const requestsEach = 2 * tasks;
    const contenders = await openContenders(world, { clients: writers + 1, requestsEach });
    const [walker, ...others] = contenders.clients;
    if (walker === undefined) throw new Error('nobody walks');
    const rows = await world.sql<{ id: string }>`
      insert into tasks.task (account_id, id, title, description_html, renderer_version, status, list, due_date,
        checklist, rank, is_trashed_with_project, created_at, updated_at)
      select ${contenders.account.accountId}, gen_random_uuid(), 'Task ' || n, '', 1, 'open', 'someday',
        date '2020-01-01' + (n % 90), '[]', n, false, now(), now()
      from generate_series(1, ${tasks}::int) n returning id`;
    const ids = rows.map(({ id }) => id);
    // Every third one, spread over the whole list.
    const victims = ids.filter((_, index) => index % 3 === 0).sort();
    const touched = new Set<string>();
    let isOver = false;
    const disturbing = others.map(async (send) => {
      for (let turn = 0; !isOver; turn += 1) {
        const id = victims.pop();
        if (id === undefined) return;
        touched.add(id);
        await send(disturbances[turn % disturbances.length]?.(id) ?? { method: 'GET', path: '/me' });
      }
    });
    const seen: string[] = [];
    try {
      let cursor = '';
      do {
        const path = `/tasks?view=today&limit=${pageSize}&cursor=${cursor}`;
        const page = await expectBody<Page<Task>>(walker({ method: 'GET', path }), 200);
        seen.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor ?? '';
      } while (cursor !== '');
    } finally {
      isOver = true;
      await Promise.allSettled(disturbing);
      contenders.close();
    }
    const stayed = ids.filter((id) => !touched.has(id));
    const { missed, repeated } = walkFaults(stayed, seen);
    return {
      figures: { walked: seen.length, stayed: stayed.length, disturbed: touched.size, missed, repeated },
      misses: [
        ...(missed > 0 ? [`the walk missed ${missed} tasks`] : []),
        ...(repeated > 0 ? [`the walk showed ${repeated} tasks twice`] : []),
        ...(touched.size < pageSize ? [`only ${touched.size} tasks were touched meanwhile`] : []),
      ],
    };
  };
}

const disturbances = [
  (id: string) => ({ method: 'POST' as const, path: `/tasks/${id}/complete` }),
  (id: string) => ({ method: 'POST' as const, path: `/tasks/${id}/move`, body: { list: 'someday' } }),
  (id: string) => ({ method: 'DELETE' as const, path: `/tasks/${id}` }),
  () => ({ method: 'POST' as const, path: '/tasks', body: { title: 'Added', dueDate: '2020-02-01' } }),
];

/** Of what was there all the time: how many the walk did not show, and how many it showed more than once. */
export function walkFaults(stayed: readonly string[], seen: readonly string[]) {
  const counts = new Map<string, number>();
  for (const id of seen) counts.set(id, (counts.get(id) ?? 0) + 1);
  const shown = stayed.map((id) => counts.get(id) ?? 0);
  return {
    missed: shown.filter((count) => count === 0).length,
    repeated: shown.filter((count) => count > 1).length,
  };
}
