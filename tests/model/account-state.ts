import type { Recurrence, Task, TaskFields } from '#tests/support/api-types.ts';

/*
 * An account as plain data. Ids are the model's own, and every timestamp (`…At`) is the number of a write:
 * which time it was is the service's to say.
 */

type Stamped = { id: string; title: string; createdAt: number; updatedAt: number };

export type TaskState = Stamped &
  TaskFields &
  Pick<Task, 'description' | 'status' | 'list' | 'projectId' | 'sectionId'> & {
    /** `weekdays` is empty when none were given, whatever the anchor makes of that. */
    recurrence: Recurrence | null;
    /** Where the series is counted from. */
    anchor: string | null;
    /** The series' own dates of the live occurrence. */
    series: { dueDate: string | null; deadlineDate: string | null };
    /** An item sent without an id is a new one, whatever its title: `madeAt` is the write that made it. */
    checklist: { title: string; completed: boolean; madeAt: number }[];
    trashedAt: number | null;
    completedAt: number | null;
    cancelledAt: number | null;
    /** The least is on top of its list. */
    rank: number;
  };

export type ProjectState = Stamped & {
  description: string | null;
  status: 'active' | 'completed';
  areaId: string | null;
  deadlineDate: string | null;
  inTrash: boolean;
  completedAt: number | null;
};

export type SectionState = Stamped & { projectId: string; position: number };

export type AccountState = {
  plan: 'free' | 'premium';
  timezone: string;
  /** The number of the latest write. */
  tick: number;
  task: Record<string, TaskState>;
  project: Record<string, ProjectState>;
  section: Record<string, SectionState>;
  area: Record<string, Stamped>;
};

export const kinds = ['task', 'project', 'section', 'area'] as const;
export type Kind = (typeof kinds)[number];

export function newAccount(): AccountState {
  return { plan: 'premium', timezone: 'UTC', tick: 0, task: {}, project: {}, section: {}, area: {} };
}

/** What every new resource has. A write makes one resource of a kind at most. */
export function newResource({ tick }: AccountState, kind: Kind, title = ''): Stamped {
  return { id: `${kind} ${tick}`, title, createdAt: tick, updatedAt: tick };
}

export function isActive({ status, inTrash }: ProjectState): boolean {
  return status === 'active' && !inTrash;
}

export function sectionsOf(state: AccountState, projectId: string): SectionState[] {
  return Object.values(state.section)
    .filter((section) => section.projectId === projectId)
    .toSorted((one, other) => one.position - other.position);
}

/** What is still to be done in a project. */
export function openTasksOf(state: AccountState, projectId: string): TaskState[] {
  return Object.values(state.task).filter(
    (task) => task.projectId === projectId && task.status === 'open' && task.trashedAt === null,
  );
}
