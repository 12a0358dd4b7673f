import type { Area, Page, Project, Task } from '#tests/support/api-types.ts';
import { type ViewName, viewNames } from './expected-views.ts';
import type { Send } from './send-operation.ts';

/** All that an account shows through the front door. */
export type ObservedAccount = {
  views: Record<ViewName, Task[]>;
  /** By the ids of projects and areas. */
  projectTasks: Record<string, Task[]>;
  areaTasks: Record<string, Task[]>;
  projects: Project[];
  completedProjects: Project[];
  areas: Area[];
};

export async function observeAccount(send: Send): Promise<ObservedAccount> {
  const views = {} as ObservedAccount['views'];
  for (const view of viewNames) {
    views[view] = await readList<Task>(send, view === 'none' ? '/tasks?' : `/tasks?view=${view}`);
  }
  const projects = await readList<Project>(send, '/projects?');
  const areas = await readList<Area>(send, '/areas?');
  return {
    views,
    projectTasks: await readEach(send, projects, (id) => `/projects/${id}/tasks?`),
    areaTasks: await readEach(send, areas, (id) => `/tasks?view=all&areaId=${id}`),
    projects,
    completedProjects: await readList<Project>(send, '/projects?status=completed'),
    areas,
  };
}

async function readEach(
  send: Send,
  owners: readonly { id: string }[],
  pathOf: (id: string) => string,
): Promise<Record<string, Task[]>> {
  const lists: Record<string, Task[]> = {};
  for (const { id } of owners) lists[id] = await readList<Task>(send, pathOf(id));
  return lists;
}

/** Every page of a list. */
export async function readList<Item>(send: Send, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor = '';
  do {
    const { status, body } = await send({ method: 'GET', path: `${path}&limit=200&cursor=${cursor}` });
    if (status !== 200) throw new Error(`${path} is answered with ${status} ${JSON.stringify(body)}`);
    const page = body as Page<Item>;
    items.push(...page.items);
    cursor = page.nextCursor ?? '';
  } while (cursor !== '');
  return items;
}
