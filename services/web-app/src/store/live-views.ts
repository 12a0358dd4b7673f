import { computed, type ReadonlySignal } from '@preact/signals';
import { byRank } from './order.ts';
import { recountClosed } from './row-types.ts';
import type { Rows } from './rows.ts';
import {
  countTasks,
  type ViewInput,
  viewAnytime,
  viewArea,
  viewDeadlines,
  viewInbox,
  viewSomeday,
  viewToday,
} from './views.ts';

export type LiveViews = ReturnType<typeof createLiveViews>;

type Inputs = {
  rows: Rows;
  today: ReadonlySignal<string>;
  timeZone: ReadonlySignal<string>;
  lingering: ReadonlySignal<ReadonlySet<string>>;
  closedCounts: ReadonlySignal<Readonly<Record<string, number>>>;
};

/** The lists of the app as signals of ids; an unchanged list keeps its value. */
export function createLiveViews({ rows, today, timeZone, lingering, closedCounts }: Inputs) {
  const tasks = computed(() => rows.tasks.all());
  const input = (): ViewInput => ({
    tasks: tasks.value,
    today: today.value,
    lingering: lingering.value,
  });
  const counts = computed(() => countTasks(tasks.value, today.value));
  const closed = computed(() => countClosed(rows, closedCounts.value));
  return {
    today: stable(() => viewToday(input(), timeZone.value)),
    deadlines: stable(() => viewDeadlines(rows.projects.all())),
    inbox: stable(() => viewInbox(input())),
    anytime: stable(() => viewAnytime(input(), rows.projects.all(), rows.areas.all())),
    someday: stable(() => viewSomeday(input())),
    counts,
    /** Areas of the sidebar, in order. */
    areas: stable(() =>
      rows.areas
        .all()
        .sort(byRank)
        .map((area) => area.id),
    ),
    /** Projects of an area; null: those without one. */
    area: perId((id: string | null) => stable(() => viewArea(rows.projects.all(), id))),
    /** Closed share of the project's ring. */
    progress: perId((id: string) =>
      stable(() => ({ open: counts.value.projects.get(id) ?? 0, closed: closed.value[id] ?? 0 })),
    ),
    /** The view of a screen that is loaded later. */
    of: <View>(compute: (input: ViewInput) => View) => stable(() => compute(input())),
  };
}

/** The server's counts, adjusted by the outbox. */
function countClosed(rows: Rows, serverCounts: Readonly<Record<string, number>>): Record<string, number> {
  const counts = { ...serverCounts };
  for (const task of rows.tasks.all()) {
    const server = rows.tasks.server.get(task.id);
    if (server !== task) recountClosed(counts, server, task);
  }
  return counts;
}

/** Keeps the previous value while the new one is equal, so that screens render only on change. */
function stable<Value>(compute: () => Value): ReadonlySignal<Value> {
  let last: { value: Value; text: string } | undefined;
  return computed(() => {
    const value = compute();
    const text = JSON.stringify(value);
    if (last?.text === text) return last.value;
    last = { value, text };
    return value;
  });
}

function perId<Id, View>(create: (id: Id) => View): (id: Id) => View {
  const made = new Map<Id, View>();
  return (id) => {
    const known = made.get(id) ?? create(id);
    made.set(id, known);
    return known;
  };
}
