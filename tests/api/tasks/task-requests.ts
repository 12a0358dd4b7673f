import type { ApiClient } from '#tests/support/api-client.ts';
import type { Page, Task } from '#tests/support/api-types.ts';

type Transition = 'complete' | 'skip' | 'uncomplete' | 'cancel' | 'uncancel' | 'restore';

/** The task after the transition. Throws when it is refused. */
export async function transition(api: ApiClient, id: string, name: Transition): Promise<Task> {
  return accepted(await api.post<Task>(`/tasks/${id}/${name}`));
}

export async function trash(api: ApiClient, id: string): Promise<void> {
  accepted(await api.delete(`/tasks/${id}`));
}

export async function readTask(api: ApiClient, id: string): Promise<Task> {
  return accepted(await api.get<Task>(`/tasks/${id}`));
}

export async function patchTask(api: ApiClient, id: string, patch: object): Promise<Task> {
  return accepted(await api.patch<Task>(`/tasks/${id}`, patch));
}

export async function moveTask(api: ApiClient, id: string, destination: object): Promise<Task> {
  return accepted(await api.post<Task>(`/tasks/${id}/move`, destination));
}

/** What one page of a list shows, in its order; `query` as in `view=inbox&limit=200`. */
export async function listTasks(api: ApiClient, query = ''): Promise<Task[]> {
  return accepted(await api.get<Page<Task>>(`/tasks?${query}`)).items;
}

export async function listTitles(api: ApiClient, query: string): Promise<string[]> {
  return (await listTasks(api, query)).map(({ title }) => title);
}

function accepted<Body>({ status, body }: { status: number; body: Body }): Body {
  if (status < 300) return body;
  throw new Error(`the service refused what a test starts from: ${status} ${JSON.stringify(body)}`);
}
