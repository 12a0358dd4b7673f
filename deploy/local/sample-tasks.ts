import type { ApiClient } from './api-client.ts';
import {
  SAMPLE_AREA,
  SAMPLE_PROJECTS,
  SAMPLE_TASKS,
  type SampleProject,
  type SampleTask,
} from './sample-content.ts';

type Place = { projectId?: string; sectionId?: string; list?: string };

/** Fills an account with an area, projects and tasks, planned around `today` (the account's calendar date). */
export async function createSamples(api: ApiClient, today: Temporal.PlainDate): Promise<void> {
  const areaId = await api.create('/areas', { title: SAMPLE_AREA });
  for (const project of SAMPLE_PROJECTS) await createProject(api, today, project, areaId);
  for (const task of SAMPLE_TASKS) await api.create('/tasks', taskBody(task, today, listOf(task)));
}

async function createProject(
  api: ApiClient,
  today: Temporal.PlainDate,
  project: SampleProject,
  areaId: string,
) {
  const projectId = await api.create('/projects', {
    title: project.title,
    ...(project.description && { description: project.description }),
    ...(project.inArea && { areaId }),
    ...dateFields('deadlineDate', project.deadlineInDays, today),
  });
  const sectionId =
    project.section && (await api.create(`/projects/${projectId}/sections`, { title: project.section }));
  for (const task of project.tasks) {
    const place = task.place === 'section' && sectionId ? { sectionId } : { projectId };
    await api.create('/tasks', taskBody(task, today, place));
  }
}

function listOf(task: SampleTask): Place {
  return task.place ? { list: task.place } : {};
}

function taskBody(task: SampleTask, today: Temporal.PlainDate, place: Place): object {
  return {
    title: task.title,
    ...place,
    ...(task.description && { description: task.description }),
    ...dateFields('dueDate', task.dueInDays, today),
    ...dateFields('deadlineDate', task.deadlineInDays, today),
    ...(task.reminderTime && { reminderTime: task.reminderTime }),
    ...(task.recurrence && { recurrence: task.recurrence }),
    ...(task.checklist && { checklist: task.checklist.map((title) => ({ title })) }),
  };
}

function dateFields(name: string, days: number | undefined, today: Temporal.PlainDate): object {
  return days === undefined ? {} : { [name]: today.add({ days }).toString() };
}
