import type { Area, Project, Section, Task } from '#tests/support/api-types.ts';
import { type AccountState, type Kind, sectionsOf } from './account-state.ts';
import { shownRule } from './repeating-series.ts';

/** Which of the service's ids stands for which of the model's. */
export type WireNames = ReadonlyMap<string, string>;

/** An id that nothing has. */
const missing = '00000000-0000-4000-8000-000000000000';

export function wireName(names: WireNames, id: string): string {
  return names.get(id) ?? missing;
}

export type Wire = { task: Task; project: Project; section: Section; area: Area };

/** Moments and renderings have checks of their own: here is what a resource says apart from them. */
export type Said = Record<string, unknown>;

/** What the service has to say of a resource of the model. */
export function expectedOf(state: AccountState, names: WireNames, kind: Kind, id: string): Said {
  if (kind === 'task') return expectedTask(state, names, id);
  if (kind === 'project') return expectedProject(state, names, id);
  const { title } = state[kind][id] ?? { title: undefined };
  const owner =
    kind === 'section' ? { projectId: reference(names, state.section[id]?.projectId ?? null) } : {};
  return { id: names.get(id), title, ...owner };
}

function expectedTask(state: AccountState, names: WireNames, id: string): Said {
  const task = state.task[id];
  if (task === undefined) return {};
  return {
    id: names.get(id),
    title: task.title,
    description: task.description,
    status: task.status,
    list: task.list,
    projectId: reference(names, task.projectId),
    sectionId: reference(names, task.sectionId),
    dueDate: task.dueDate,
    deadlineDate: task.deadlineDate,
    reminderTime: task.reminderTime,
    recurrence: task.recurrence && shownRule(task.recurrence, task.anchor ?? ''),
    checklist: task.checklist.map(({ title, completed }) => ({ title, completed })),
    inTrash: task.trash !== null,
    inLogbook: task.status !== 'open' && task.trash === null,
    isCompletedAtSet: task.status === 'completed',
    isCancelledAtSet: task.status === 'cancelled',
  };
}

function expectedProject(state: AccountState, names: WireNames, id: string): Said {
  const project = state.project[id];
  if (project === undefined) return {};
  return {
    id: names.get(id),
    title: project.title,
    description: project.description,
    status: project.status,
    areaId: reference(names, project.areaId),
    deadlineDate: project.deadlineDate,
    inTrash: project.inTrash,
    isCompletedAtSet: project.status === 'completed',
    isCancelledAtSet: false,
    sections: sectionsOf(state, id).map((section) => expectedOf(state, names, 'section', section.id)),
  };
}

function reference(names: WireNames, id: string | null): string | null {
  return id === null ? null : wireName(names, id);
}

/** The same of what the service did say. */
export function saidOf(kind: Kind, body: Task | Project | Section | Area): Said {
  if (kind === 'task') return saidOfTask(body as Task);
  if (kind === 'project') return saidOfProject(body as Project);
  const { createdAt: _, updatedAt: __, ...said } = body as Section | Area;
  return said;
}

function saidOfTask(task: Task): Said {
  const { createdAt: _, updatedAt: __, descriptionHtml: ___, completedAt, cancelledAt, ...said } = task;
  const checklist = said.checklist.map(({ title, completed }) => ({ title, completed }));
  return { ...said, checklist, ...closings({ completedAt, cancelledAt }) };
}

function saidOfProject(project: Project): Said {
  const { createdAt: _, updatedAt: __, descriptionHtml: ___, completedAt, cancelledAt, ...said } = project;
  const sections = said.sections.map((section) => saidOf('section', section));
  return { ...said, sections, ...closings({ completedAt, cancelledAt }) };
}

function closings({ completedAt, cancelledAt }: Pick<Task, 'completedAt' | 'cancelledAt'>): Said {
  return { isCompletedAtSet: completedAt !== null, isCancelledAtSet: cancelledAt !== null };
}

/** Keys in one order, so that equal things are equal texts. */
export function asText(value: unknown): string {
  return JSON.stringify(value, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : part,
  );
}
