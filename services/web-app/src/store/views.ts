import { todayIn } from '../dates/civil-date.ts';
import { byDayOrder, byRank, bySpecDate, viewDate } from './order.ts';
import {
  type AreaRow,
  closedAt,
  isClosedTask,
  isOpenTask,
  type ProjectRow,
  type TaskRow,
} from './row-types.ts';

export type ViewInput = {
  tasks: readonly TaskRow[];
  today: string;
  /** Just closed tasks keep their place until their row has folded. */
  lingering: ReadonlySet<string>;
};

export type DueProject = { id: string; date: string };

const isListed = (task: TaskRow, lingering: ReadonlySet<string>) =>
  isOpenTask(task) || (!task.inTrash && lingering.has(task.id));

const isInAnytime = (task: TaskRow, today: string) => {
  const isUp = (date: string | null) => date !== null && date <= today;
  if (task.list === 'inbox' || (task.dueDate !== null && task.dueDate > today)) return false;
  return task.list === 'project' || isUp(task.dueDate) || isUp(task.deadlineDate);
};

export const isSomeday = (task: TaskRow) => task.list === 'someday' && viewDate(task) === null;

export function select(input: ViewInput, matches: (task: TaskRow) => boolean): TaskRow[] {
  return input.tasks.filter((task) => isListed(task, input.lingering) && matches(task));
}

export const ids = (tasks: readonly { id: string }[]) => tasks.map((task) => task.id);

/** Closed and folded tasks, latest first. */
export function selectDone({ tasks, lingering }: ViewInput, matches: (task: TaskRow) => boolean): string[] {
  const isDone = (task: TaskRow) => isClosedTask(task) && !lingering.has(task.id);
  return ids(tasks.filter((task) => isDone(task) && matches(task)).sort(byClosedAt));
}

/** The day on which it was completed or cancelled. */
export function closedOn(row: Parameters<typeof closedAt>[0], timeZone: string): string | null {
  const at = closedAt(row);
  return at === null ? null : todayIn(timeZone, new Date(at));
}

const byClosedAt = (a: TaskRow, b: TaskRow) =>
  (closedAt(b) ?? '').localeCompare(closedAt(a) ?? '') || b.id.localeCompare(a.id);

export function viewToday(input: ViewInput, timeZone: string) {
  const due = select(input, (task) => (viewDate(task) ?? '9999-99-99') <= input.today);
  const isLate = (task: TaskRow) => (viewDate(task) ?? '') < input.today;
  return {
    overdue: ids(due.filter(isLate).sort(bySpecDate)),
    today: ids(due.filter((task) => !isLate(task)).sort(byDayOrder)),
    doneToday: selectDone(input, (task) => closedOn(task, timeZone) === input.today),
  };
}

/** Active projects with a deadline, earliest first. */
export function viewDeadlines(projects: readonly ProjectRow[]): DueProject[] {
  const due = projects.flatMap(({ id, status, inTrash, deadlineDate: date }) =>
    date === null || inTrash || status !== 'active' ? [] : [{ id, date }],
  );
  return due.sort((a, b) => a.date.localeCompare(b.date));
}

export function viewInbox(input: ViewInput): string[] {
  return ids(select(input, (task) => task.list === 'inbox').sort(byRank));
}

export function viewSomeday(input: ViewInput): string[] {
  return ids(select(input, isSomeday).sort(byRank));
}

/** Tasks without a project first, then by area and project, as in the sidebar. */
export function viewAnytime(
  input: ViewInput,
  projects: readonly ProjectRow[],
  areas: readonly AreaRow[],
): { projectId: string | null; ids: string[] }[] {
  const tasks = select(input, (task) => isInAnytime(task, input.today));
  const byProject = Map.groupBy(tasks, (task) => task.projectId);
  const alone = (byProject.get(null) ?? []).sort(
    (a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id),
  );
  const groups = projectsInOrder(projects, areas).map(({ id }) => ({
    projectId: id,
    ids: ids((byProject.get(id) ?? []).sort(byRank)),
  }));
  return [{ projectId: null, ids: ids(alone) }, ...groups].filter((group) => group.ids.length > 0);
}

/** By area, then by rank; projects without an area last, as in the sidebar. */
export function projectsInOrder(projects: readonly ProjectRow[], areas: readonly AreaRow[]): ProjectRow[] {
  const places = new Map(areas.toSorted(byRank).map((area, place) => [area.id, place]));
  const place = (project: ProjectRow) => places.get(project.areaId ?? '') ?? places.size;
  return projects.toSorted((a, b) => place(a) - place(b) || byRank(a, b));
}

export function viewArea(projects: readonly ProjectRow[], areaId: string | null) {
  const own = projects.filter((project) => project.areaId === areaId && !project.inTrash).sort(byRank);
  return {
    open: ids(own.filter((project) => project.status === 'active')),
    closed: ids(own.filter((project) => project.status !== 'active')),
  };
}

export function countTasks(tasks: readonly TaskRow[], today: string) {
  const counts = { inbox: 0, overdue: 0, today: 0 };
  /** Open tasks by project. */
  const projects = new Map<string, number>();
  for (const task of tasks) {
    if (!isOpenTask(task)) continue;
    const date = viewDate(task);
    if (task.list === 'inbox') counts.inbox += 1;
    if (date !== null && date <= today) counts[date === today ? 'today' : 'overdue'] += 1;
    if (task.projectId !== null) projects.set(task.projectId, (projects.get(task.projectId) ?? 0) + 1);
  }
  return { ...counts, projects };
}
