import type { ApiClient, ApiResponse } from './api-client.ts';
import type {
  Area,
  ChecklistItem,
  ListName,
  Project,
  Recurrence,
  Section,
  Task,
  TaskFields,
} from './api-types.ts';
import type { SqlConnection } from './connect-sql.ts';

export type SentTask = Partial<TaskFields> & {
  title?: string;
  description?: string | null;
  list?: ListName;
  projectId?: string;
  sectionId?: string;
  recurrence?: (Pick<Recurrence, 'frequency'> & Partial<Recurrence>) | null;
  checklist?: (Pick<ChecklistItem, 'title'> & Partial<ChecklistItem>)[];
};

export type ProjectFields = {
  title?: string;
  description?: string | null;
  areaId?: string | null;
  deadlineDate?: string | null;
};

const made = { tasks: 0, projects: 0, areas: 0, sections: 0 };

export async function makeTask(client: ApiClient, fields: SentTask = {}): Promise<Task> {
  made.tasks += 1;
  return created(await client.post<Task>('/tasks', { title: `Task ${made.tasks}`, ...fields }));
}

/** Creates them one after another, and returns them in that order. */
export async function makeTasks(client: ApiClient, count: number, fields: SentTask = {}): Promise<Task[]> {
  const tasks: Task[] = [];
  while (tasks.length < count) tasks.push(await makeTask(client, fields));
  return tasks;
}

/** Inserts thousands of open tasks by SQL, into the Inbox or a project, without feed and history. */
export async function insertTasks(
  { sql }: Pick<SqlConnection, 'sql'>,
  { accountId }: { accountId: string },
  count: number,
  { projectId = null, title = 'Task' }: { projectId?: string | null; title?: string } = {},
): Promise<void> {
  await sql`insert into tasks.task (account_id, id, title, description_html, renderer_version, status, list,
      project_id, checklist, rank, is_trashed_with_project, created_at, updated_at)
    select ${accountId}, gen_random_uuid(), ${title}, '', 1, 'open',
      ${projectId === null ? 'inbox' : 'project'}, ${projectId}, '[]', place, false, now(), now()
    from generate_series(1, ${count}::int) place`;
}

export async function makeProject(client: ApiClient, fields: ProjectFields = {}): Promise<Project> {
  made.projects += 1;
  return created(await client.post<Project>('/projects', { title: `Project ${made.projects}`, ...fields }));
}

export async function makeArea(client: ApiClient, fields: { title?: string } = {}): Promise<Area> {
  made.areas += 1;
  return created(await client.post<Area>('/areas', { title: `Area ${made.areas}`, ...fields }));
}

export async function makeSection(
  client: ApiClient,
  projectId: string,
  fields: { title?: string } = {},
): Promise<Section> {
  made.sections += 1;
  const body = { title: `Section ${made.sections}`, ...fields };
  return created(await client.post<Section>(`/projects/${projectId}/sections`, body));
}

function created<Resource>({ status, body }: ApiResponse<Resource>): Resource {
  if (status === 201) return body;
  throw new Error(`the service refused what a test wanted to start from: ${status} ${JSON.stringify(body)}`);
}
