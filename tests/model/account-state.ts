import type { ListName, Recurrence, TaskStatus } from '#tests/support/api-types.ts';

/*
 * An account as plain data. Ids are the model's own; moments are numbers of writes, since only the order in which
 * things happened is the model's to know.
 */

export type RuleState = Recurrence;

export type TaskState = {
  id: string;
  title: string;
  description: string | null;
  status: TaskStatus;
  list: ListName;
  projectId: string | null;
  sectionId: string | null;
  dueDate: string | null;
  deadlineDate: string | null;
  reminderTime: string | null;
  /** `weekdays` is empty when none were given, whatever the anchor makes of that. */
  recurrence: RuleState | null;
  /** Where the series is counted from. */
  anchor: string | null;
  /** The series' own dates of the live occurrence. */
  series: { dueDate: string | null; deadlineDate: string | null };
  /** An item that is sent without an id is a new one, whatever its title: `madeAt` is the write that made it. */
  checklist: { title: string; completed: boolean; madeAt: number }[];
  trash: { at: number; withProject: boolean } | null;
  closedAt: number | null;
  createdAt: number;
  updatedAt: number;
  /** The least is on top of its list; null for a logged occurrence, whose rank is nobody's promise. */
  rank: number | null;
};

export type ProjectState = {
  id: string;
  title: string;
  description: string | null;
  status: 'active' | 'completed';
  areaId: string | null;
  deadlineDate: string | null;
  inTrash: boolean;
  closedAt: number | null;
  createdAt: number;
  updatedAt: number;
};

export type SectionState = {
  id: string;
  projectId: string;
  title: string;
  position: number;
  createdAt: number;
  updatedAt: number;
};

export type AreaState = { id: string; title: string; createdAt: number; updatedAt: number };

export type AccountState = {
  plan: 'free' | 'premium';
  timezone: string;
  /** The number of the latest write. */
  tick: number;
  /** How many resources have been made, which numbers their ids. */
  made: number;
  task: Record<string, TaskState>;
  project: Record<string, ProjectState>;
  section: Record<string, SectionState>;
  area: Record<string, AreaState>;
};

export const kinds = ['task', 'project', 'section', 'area'] as const;
export type Kind = (typeof kinds)[number];

export function newAccount(plan: AccountState['plan']): AccountState {
  return { plan, timezone: 'UTC', tick: 0, made: 0, task: {}, project: {}, section: {}, area: {} };
}

export function nextId(draft: AccountState, kind: Kind): string {
  draft.made += 1;
  return `${kind} ${draft.made}`;
}

export function isActive({ status, inTrash }: ProjectState): boolean {
  return status === 'active' && !inTrash;
}

export function isLive({ status, trash }: TaskState): boolean {
  return status === 'open' && trash === null;
}

export function sectionsOf(state: AccountState, projectId: string): SectionState[] {
  return Object.values(state.section)
    .filter((section) => section.projectId === projectId)
    .toSorted((one, other) => one.position - other.position);
}

export function tasksOf(state: AccountState, projectId: string): TaskState[] {
  return Object.values(state.task).filter((task) => task.projectId === projectId);
}
