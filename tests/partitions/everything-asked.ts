import { showFeed } from '#resource-api/admin/feed-admin.ts';
import { restoreProject } from '#resource-api/admin/project-admin.ts';
import { taskViews } from '#resource-api/tasks/task-views.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import type { AccountClient } from '#tests/support/stack.ts';
import { type Ids, makeIds, operations, send } from '../api/matrix/request-fixtures.ts';

/** Something that is asked of the service, with what has to be there first. Answers the status. */
export type Asking = { title: string; expected: number; ask(client: AccountClient): Promise<number> };

/** Each operation once, as its example in the document has it; what it changes is its own, what it reads are these. */
export function operationAskings(ids: Ids): Asking[] {
  return operations.map((operation) => ({
    title: operation.operationId,
    expected: operation.success.status,
    async ask(client) {
      const concerned = operation.scope === 'read' ? ids : await makeIds(client);
      return (await send(client, operation, concerned)).status;
    },
  }));
}

/** Two pages of each list there is, and of each way to narrow it down. */
export function listAskings({ project, area }: Ids): Asking[] {
  const lists = [
    ...taskViews.map((view) => `/tasks?view=${view}`),
    `/tasks?projectId=${project}`,
    `/tasks?areaId=${area}&status=open`,
    `/tasks?projectId=${project}&areaId=${area}&view=anytime`,
    '/tasks?view=all&updatedSince=2000-01-01T00:00:00Z',
    `/tasks?areaId=${area}&updatedSince=2000-01-01T00:00:00Z`,
    '/tasks?view=all&updatedSince=2999-01-01T00:00:00Z',
    `/projects/${project}/tasks?status=open`,
    `/projects/${project}/tasks?areaId=${area}&view=anytime`,
    '/projects?status=active',
    `/projects?areaId=${area}`,
    '/areas',
  ];
  return lists.map((path) => ({
    title: `GET ${path}`,
    expected: 200,
    ask: (client) => readTwoPages(client, `${path}${path.includes('?') ? '&' : '?'}limit=1`),
  }));
}

async function readTwoPages(client: ApiClient, list: string): Promise<number> {
  const { status, body } = await client.get<Page<unknown>>(list);
  return body.nextCursor ? (await client.get(`${list}&cursor=${body.nextCursor}`)).status : status;
}

/** Writes whose statements no example of an operation brings about. */
export const writeAskings: Asking[] = [
  {
    title: 'completes a task that repeats',
    expected: 200,
    async ask(client) {
      const task = await makeTask(client, { dueDate: '2026-11-21', recurrence: { frequency: 'daily' } });
      return (await client.post(`/tasks/${task.id}/complete`)).status;
    },
  },
  {
    title: 'repeats a request with its key',
    expected: 201,
    async ask(client) {
      const keyed = client.with({ 'Idempotency-Key': 'once' });
      await keyed.post('/tasks', { title: 'once' });
      return (await keyed.post('/tasks', { title: 'once' })).status;
    },
  },
  {
    title: 'restores a task from the Trash, and moves it',
    expected: 200,
    async ask(client) {
      const { task, project } = await makeIds(client);
      await client.delete(`/tasks/${task}`);
      await client.post(`/tasks/${task}/restore`);
      return (await client.post(`/tasks/${task}/move`, { projectId: project })).status;
    },
  },
  {
    title: 'opens a project again that was closed with its tasks',
    expected: 200,
    async ask(client) {
      const { project } = await makeIds(client);
      await client.post(`/projects/${project}/complete`, { completeChildTasks: false });
      return (await client.post(`/projects/${project}/uncomplete`)).status;
    },
  },
];

/** What the operator's command does with an account's data. */
export async function operate(client: AccountClient, databaseUrl: string): Promise<void> {
  const { accountId } = client.account;
  const { id: projectId } = await makeProject(client);
  await makeTask(client, { projectId });
  await client.delete(`/projects/${projectId}`);
  await restoreProject(databaseUrl, { accountId, projectId });
  await showFeed(databaseUrl, { accountId, since: 0 });
}
