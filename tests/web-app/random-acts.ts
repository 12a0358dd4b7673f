import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import type { OpenStore } from '#web-app/store/create-store.ts';
import type { ProjectRow, TaskRow } from '#web-app/store/row-types.ts';
import { isBeside } from '#web-app/store/task-drafts.ts';

type Random = () => number;
type Act = (store: OpenStore, chosen: Chosen, title: string, random: Random) => unknown;
/** Adds a task of this title, takes the last command back, does it again, or restores from the answer. */
type ActKind = 'add' | 'undo' | 'redo' | 'restore' | undefined;

/** Ids of rows that are shown; empty where there is none. */
type Chosen = ReturnType<typeof chooseRows>;

const isListed = ({ status, inTrash }: TaskRow | ProjectRow) =>
  !inTrash && (status === 'open' || status === 'active');

function chooseRows({ rows }: OpenStore, random: Random) {
  const pick = <Row extends { id: string }>(of: Iterable<Row>, isWanted: (row: Row) => boolean) => {
    const found = [...of].filter(isWanted).map(({ id }) => id);
    return () => found[Math.floor(random() * found.length)] ?? '';
  };
  const tasks = [...rows.tasks.shown.values()];
  const projects = [...rows.projects.shown.values()];
  return {
    task: pick(tasks, isListed),
    closedTask: pick(tasks, ({ status, inTrash }) => status !== 'open' && !inTrash),
    trashedTask: pick(tasks, ({ inTrash }) => inTrash),
    project: pick(projects, isListed),
    closedProject: pick(projects, ({ status, inTrash }) => status !== 'active' && !inTrash),
    trashedProject: pick(projects, ({ inTrash }) => inTrash),
    section: pick(rows.sections.shown.values(), () => true),
    area: pick(rows.areas.shown.values(), () => true),
  };
}

/** Weighted as people work: mostly tasks, now and then a whole project. */
const acts: readonly (readonly [weight: number, act: Act, kind?: ActKind])[] = [
  [14, ({ commands }, _, title) => commands.addTask({ title }), 'add'],
  [4, ({ commands, today }, _, title) => commands.addTask({ title, dueDate: today.value }), 'add'],
  [4, ({ commands }, { project }, title) => commands.addTask({ title, projectId: project() || null }), 'add'],
  [12, ({ commands }, { task }, title) => commands.patchTask(task(), { title })],
  [4, ({ commands }, { task }, title) => commands.patchTask(task(), { description: `Notes of ${title}` })],
  [
    4,
    ({ commands }, { task }, title) =>
      commands.patchTask(task(), { checklist: [{ title }, { title: 'second' }] }),
  ],
  [2, ({ commands }, { task }) => commands.patchTask(task(), { recurrence: daily })],
  [9, ({ commands }, { task }) => commands.complete(task())],
  [2, ({ commands }, { task }) => commands.skip(task())],
  [3, ({ commands }, { task }) => commands.cancel(task())],
  [5, ({ commands }, { closedTask }) => commands.reopen(closedTask())],
  [6, ({ commands }, { task }) => commands.trash(task())],
  [3, ({ commands }, { trashedTask }) => commands.restore(trashedTask())],
  [6, ({ commands, today }, { task }) => commands.plan(task(), today.value)],
  [4, ({ commands }, { task }) => commands.someday(task())],
  [3, ({ commands }, { task }) => commands.noDate(task())],
  [4, ({ commands }, { task, project }) => commands.moveTask(task(), inProject(project()))],
  [3, ({ commands }, { task }) => commands.moveTask(task(), { list: 'inbox' })],
  [3, ({ commands }, { task }) => commands.complete([task(), task(), task()])],
  [4, (store, { task }, _, random) => place(store, task(), 'list', random)],
  [4, (store, { task }, _, random) => place(store, task(), 'day', random)],
  [9, ({ undo }) => undo(), 'undo'],
  [4, ({ redo }) => redo(), 'redo'],
  [2, ({ commands }, _, title) => commands.addProject({ title })],
  [2, ({ commands }, { project }, title) => commands.patchProject(project(), { title })],
  [
    1,
    ({ commands, rows }, { project }, _, random) => {
      const id = project();
      const tasks = [...rows.tasks.shown.values()].filter((task) => task.projectId === id && isListed(task));
      commands.completeProject(
        id,
        random() < 0.5 ? 'complete' : 'cancel',
        tasks.map((task) => task.id),
      );
    },
  ],
  [1, ({ commands }, { closedProject }) => commands.uncompleteProject(closedProject())],
  [1, ({ commands }, { project }) => commands.trashProject(project())],
  [1, ({ commands }, { trashedProject }) => commands.restoreProject(trashedProject()), 'restore'],
  [1, ({ commands }, { project }) => commands.positionProject(project(), null)],
  [
    2,
    ({ commands }, { project }, title) => {
      const projectId = project();
      if (projectId !== '') commands.addSection(projectId, title);
    },
  ],
  [1, ({ commands }, { section }, title) => commands.renameSection(section(), title)],
  [1, ({ commands }, { section }) => commands.positionSection(section(), null)],
  [1, ({ commands }, { section }) => commands.deleteSection(section())],
  [1, ({ commands }, _, title) => commands.addArea(title)],
  [1, ({ commands }, { area }, title) => commands.renameArea(area(), title)],
  [1, ({ commands }, { area }) => commands.deleteArea(area())],
  [1, ({ commands }, { area }) => commands.positionArea(area(), null)],
];

/** Nothing is moved to a project that is not there. */
const inProject = (projectId: string) => (projectId === '' ? ({ list: 'inbox' } as const) : { projectId });

/** First, or behind another one of the same list or day. */
function place({ commands, rows }: OpenStore, id: string, scope: 'list' | 'day', random: Random): void {
  const task = rows.tasks.find(id);
  if (task === undefined) return;
  const others = [...rows.tasks.shown.values()].filter(
    (other) => isListed(other) && other.id !== id && isBeside(task, other, scope),
  );
  commands.positionTask(id, others[Math.floor(random() * 2 * others.length)]?.id ?? null, scope);
}

const daily: AppRecurrence = { frequency: 'daily', interval: 1, weekdays: [], fromCompletion: false };
const totalWeight = acts.reduce((sum, [weight]) => sum + weight, 0);

/** One thing that a person does; what is made or renamed gets the title. */
export function actAtRandom(store: OpenStore, random: Random, title: string): ActKind {
  let choice = random() * totalWeight;
  for (const [weight, act, kind] of acts) {
    choice -= weight;
    if (choice >= 0) continue;
    act(store, chooseRows(store, random), title, random);
    return kind;
  }
  return undefined;
}

/** As above, but each kind of act is as likely as any other. */
export function actEvenly(store: OpenStore, random: Random, title: string): ActKind {
  const [, act, kind] = acts[Math.floor(random() * acts.length)] ?? [];
  act?.(store, chooseRows(store, random), title, random);
  return kind;
}
