import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeProject } from '#tests/support/factories.ts';
import { type AccountClient, type Stack, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);
const taskCount = 5_000;

/** As many tasks as a walk needs, dated over many days; through SQL, since making them is not what is tested. */
async function fillAccount(account: AccountClient, projectId: string): Promise<string[]> {
  const rows = await stack.sql<{ id: string }>`
    insert into tasks.task (account_id, id, title, description_html, renderer_version, status, list, project_id,
      due_date, checklist, rank, is_trashed_with_project, created_at, updated_at)
    select ${account.account.accountId}, gen_random_uuid(), 'Task ' || n, '', 1, 'open', 'project', ${projectId},
      date '2026-01-01' + (n % 90), '[]', n, false, now(), now()
    from generate_series(1, ${taskCount}::int) n returning id`;
  return rows.map(({ id }) => id);
}

/** Completes, creates, moves and trashes until told to stop; answers the tasks it touched. */
async function disturb(client: ApiClient, victims: string[], isOver: () => boolean): Promise<Set<string>> {
  const touched = new Set<string>();
  for (let turn = 0; !isOver(); turn++) {
    const id = victims.pop();
    if (id === undefined) break;
    touched.add(id);
    if (turn % 4 === 0) await client.post(`/tasks/${id}/complete`);
    if (turn % 4 === 1) await client.post(`/tasks/${id}/move`, { list: 'inbox' });
    if (turn % 4 === 2) await client.delete(`/tasks/${id}`);
    if (turn % 4 === 3) await client.post('/tasks', { title: 'new', dueDate: '2026-02-01' });
  }
  return touched;
}

async function walkWhileDisturbed(s: Stack, path: (projectId: string) => string) {
  const client = await s.newClient({ plan: 'premium' });
  const project = await makeProject(client);
  const ids = await fillAccount(client, project.id);
  // Every third one, spread over the whole list: before, at and behind the cursor.
  const victims = ids.filter((_, index) => index % 3 === 0).sort();
  let isOver = false;
  const disturbing = Promise.all([0, 1, 2, 3].map(() => disturb(client, victims, () => isOver)));
  const seen: string[] = [];
  let cursor = '';
  do {
    const { body } = await client.get<Page<Task>>(`${path(project.id)}&limit=100&cursor=${cursor}`);
    seen.push(...body.items.map(({ id }) => id));
    cursor = body.nextCursor ?? '';
  } while (cursor !== '');
  isOver = true;
  const touched = new Set((await disturbing).flatMap((set) => [...set]));
  return { seen, stayed: ids.filter((id) => !touched.has(id)), touched };
}

const lists: Record<string, (projectId: string) => string> = {
  'everything by creation': () => '/tasks?view=all',
  'a project by rank': (projectId) => `/projects/${projectId}/tasks?status=open`,
  'today by date': () => '/tasks?view=today',
};

for (const [name, path] of Object.entries(lists)) {
  test(`a walk over 5,000 tasks (${name}) neither skips nor repeats one that stayed`, async (t) => {
    t.timeout(300_000);
    const { seen, stayed, touched } = await walkWhileDisturbed(stack, path);
    t.true(touched.size > 10, 'the writers disturbed the walk');
    const counts = new Map<string, number>();
    for (const id of seen) counts.set(id, (counts.get(id) ?? 0) + 1);
    t.deepEqual(
      stayed.filter((id) => counts.get(id) !== 1),
      [],
    );
  });
}
