import type { ApiClient } from '#tests/support/api-client.ts';
import type { Project, Task } from '#tests/support/api-types.ts';

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** What the writers of one account have made so far, so that they get in each other's way. */
export type SharedIds = { tasks: string[]; projects: string[] };

type Operation = (client: ApiClient, ids: SharedIds, random: () => number) => Promise<number>;

const recurrence = { frequency: 'daily' };

const createTask: Operation = async (client, ids, random) => {
  const projectId = random() < 0.4 ? pick(ids.projects, random) : undefined;
  const fields = random() < 0.3 ? { dueDate: '2026-11-21', recurrence } : {};
  const { status, body } = await client.post<Task>('/tasks', { title: 'made', projectId, ...fields });
  if (status === 201) ids.tasks.push(body.id);
  return status;
};

const createProject: Operation = async (client, ids) => {
  const { status, body } = await client.post<Project>('/projects', { title: 'made' });
  if (status === 201) ids.projects.push(body.id);
  return status;
};

const onTask =
  (call: (client: ApiClient, path: string, random: () => number) => Promise<{ status: number }>): Operation =>
  async (client, ids, random) => {
    const id = pick(ids.tasks, random);
    return id === undefined ? 204 : (await call(client, `/tasks/${id}`, random)).status;
  };

const transition = (name: string): Operation => onTask((client, path) => client.post(`${path}/${name}`));

const onProject =
  (call: (client: ApiClient, path: string) => Promise<{ status: number }>): Operation =>
  async (client, ids, random) => {
    const id = pick(ids.projects, random);
    return id === undefined ? 204 : (await call(client, `/projects/${id}`)).status;
  };

/** Weighted as a busy script would write: mostly tasks, now and then a whole project. */
const operations: readonly [weight: number, operation: Operation][] = [
  [28, createTask],
  [3, createProject],
  [
    18,
    onTask((client, path, random) => client.patch(path, { title: `title ${Math.floor(random() * 1e6)}` })),
  ],
  [8, onTask((client, path) => client.post(`${path}/move`, { list: 'someday' }))],
  [12, transition('complete')],
  [5, transition('uncomplete')],
  [6, transition('cancel')],
  [4, transition('uncancel')],
  [6, onTask((client, path) => client.delete(path))],
  [5, transition('restore')],
  [1, onProject((client, path) => client.delete(path))],
  [2, onProject((client, path) => client.post(`${path}/complete`, { completeChildTasks: true }))],
  [2, onProject((client, path) => client.post(`${path}/uncomplete`))],
];

const totalWeight = operations.reduce((sum, [weight]) => sum + weight, 0);

/** Performs one operation; answers its status, which is a refusal where the writers crossed each other. */
export function writeSomething(client: ApiClient, ids: SharedIds, random: () => number): Promise<number> {
  let choice = random() * totalWeight;
  for (const [weight, operation] of operations) {
    choice -= weight;
    if (choice < 0) return operation(client, ids, random);
  }
  return createTask(client, ids, random);
}

function pick(ids: readonly string[], random: () => number): string | undefined {
  return ids[Math.floor(random() * ids.length)];
}
