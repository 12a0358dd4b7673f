import {
  assistantPlans,
  assistantTasks,
  type SampleTask,
  sampleAreas,
  sampleProjects,
  sampleSomeday,
  sampleTasks,
} from './sample-tasks.ts';

/** The public API with a token. Calls are idempotent. */
export type SampleApi = {
  /** Returns the id of what was created. */
  create(path: string, body: object): Promise<string>;
  /** For an operation without a body. */
  act(method: 'POST' | 'DELETE', path: string): Promise<void>;
  change(path: string, body: object): Promise<void>;
};

/** Ids by title. */
type Ids = Map<string, string>;

/**
 * Fills an empty account, relative to `today` (the account's date). New tasks go to the top of their list, so
 * tasks are created in reverse order.
 */
export async function createOwnSamples(api: SampleApi, today: Temporal.PlainDate): Promise<Ids> {
  const ids: Ids = new Map();
  await createProjects(api, ids, today);
  await createTasks(api, ids, today, sampleSomeday, { list: 'someday' });
  await createTasks(api, ids, today, sampleTasks, {});
  return ids;
}

/** Changes by an assistant. */
export async function createAssistantSamples(
  api: SampleApi,
  ids: Ids,
  today: Temporal.PlainDate,
): Promise<void> {
  for (const { project, ...task } of assistantTasks)
    await createTasks(api, ids, today, [task], { projectId: ids.get(project) });
  for (const { title, due, deadline } of assistantPlans)
    await api.change(`/tasks/${ids.get(title)}`, datesOf({ title, due, deadline }, today));
}

async function createProjects(api: SampleApi, ids: Ids, today: Temporal.PlainDate): Promise<void> {
  for (const title of sampleAreas) ids.set(title, await api.create('/areas', { title }));
  for (const { title, area, description, deadline, tasks, sections = [] } of sampleProjects) {
    const areaId = area === undefined ? null : ids.get(area);
    const deadlineDate = deadline === undefined ? null : today.add({ days: deadline }).toString();
    const projectId = await api.create('/projects', { title, description, areaId, deadlineDate });
    ids.set(title, projectId);
    for (const section of sections) {
      const sectionId = await api.create(`/projects/${projectId}/sections`, { title: section.title });
      await createTasks(api, ids, today, section.tasks, { sectionId });
    }
    await createTasks(api, ids, today, tasks, { projectId });
  }
}

async function createTasks(
  api: SampleApi,
  ids: Ids,
  today: Temporal.PlainDate,
  tasks: readonly SampleTask[],
  place: object,
): Promise<void> {
  for (const task of tasks.toReversed()) {
    const { title, description, reminderTime, recurrence, checklist = [], end } = task;
    const items = checklist.map((item) => ({
      title: item.replace('✓', ''),
      completed: item.startsWith('✓'),
    }));
    const texts = { title, description, reminderTime, recurrence, checklist: items };
    const id = await api.create('/tasks', { ...texts, ...datesOf(task, today), ...place });
    ids.set(title, id);
    if (end === 'trash') await api.act('DELETE', `/tasks/${id}`);
    else if (end !== undefined) await api.act('POST', `/tasks/${id}/${end}`);
  }
}

const friday = 5;

function datesOf({ due, dueOn, deadline }: SampleTask, today: Temporal.PlainDate): object {
  const inDays = (days: number): string => today.add({ days }).toString();
  const dates = {
    ...(due !== undefined && { dueDate: inDays(due) }),
    ...(deadline !== undefined && { deadlineDate: inDays(deadline) }),
  };
  if (dueOn === 'friday') return { ...dates, dueDate: inDays((friday - today.dayOfWeek + 7) % 7) };
  if (dueOn === 'first-of-month')
    return { ...dates, dueDate: today.add({ months: 1 }).with({ day: 1 }).toString() };
  return dates;
}
