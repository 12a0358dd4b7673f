import { addDays } from '../dates/civil-date.ts';
import { commandWords, type ToastText } from '../words/command-words.ts';
import { type CommandContext, onBase } from './command-context.ts';
import { viewDate } from './order.ts';
import type { RecordDraft } from './outbox-record.ts';
import { draftChain } from './position-chain.ts';
import { isOpenTask, type TaskRow } from './row-types.ts';
import {
  type Destination,
  draftMove,
  draftPatch,
  draftRestore,
  draftTask,
  draftTransition,
  draftTrash,
  isBeside,
  isOfDay,
  type NewTask,
  type TaskBeside,
  type TaskPatch,
  type Transition,
} from './task-drafts.ts';
import { createTaskToasts } from './task-toasts.ts';

const isPlanned = (task: TaskRow): boolean => viewDate(task) !== null || task.reminderTime !== null;

/** One or several ids; several are one step of undo. */
type Ids = string | readonly string[];
type PlaceOptions = { after?: string | null };

/** Commands on tasks. Each is shown at once and is one step of undo, for any number of tasks. */
export type TaskCommands = ReturnType<typeof createTaskCommands>;

export function createTaskCommands(context: CommandContext) {
  const { rows } = context;
  const tasks = rows.tasks;
  const say = createTaskToasts(context);

  const shown = (ids: Ids): TaskRow[] => [ids].flat().flatMap((id) => tasks.find(id) ?? []);

  /** Drafts for each shown task among the ids that the command applies to. */
  function each(
    ids: Ids,
    build: (task: TaskRow, turn: number) => RecordDraft[],
    toast: (titles: string[], found: TaskRow[]) => ToastText | null,
    { applies = () => true, isOnTop, otherwise = null }: EachOptions = {},
  ): void {
    context.run(() => {
      const chosen = shown(ids).filter(applies);
      const inTurn = isOnTop ? chosen.toReversed() : chosen;
      const titles = chosen.map((task) => task.title);
      const said = chosen.length === 0 ? otherwise : toast(titles, chosen);
      return { drafts: inTurn.flatMap(build), toast: said };
    });
  }

  function transition(
    ids: Ids,
    name: Transition,
    applies: (task: TaskRow) => boolean,
    toast: (titles: string[], found: TaskRow[]) => ToastText,
  ): void {
    each(ids, (task) => [draftTransition(task, name, context.now())], toast, { applies });
  }

  function positions(
    ids: Ids,
    after: string | null,
    scope: 'list' | 'day',
    { build = () => [], toast = () => null }: BuildFirst,
  ): void {
    context.run(() => {
      const found = shown(ids);
      const titles = found.map((task) => task.title);
      return { drafts: draftChain(tasks, found, after, scope, build), toast: toast(titles, found) };
    });
  }

  const withoutDates = (task: TaskRow) => draftPatch(tasks, task, { dueDate: null, deadlineDate: null });

  function moveUndated(task: TaskRow, list: 'inbox' | 'someday', turn: number): RecordDraft[] {
    const cleared = withoutDates(task);
    if (task.list === list && cleared.length > 0) return cleared;
    return [...cleared, draftMove(tasks, { ...task, dueDate: null, deadlineDate: null }, { list }, turn)];
  }

  /** Its project no longer exists: all untrashed projects are known locally. */
  function hasLostProject({ projectId, status }: TaskRow): boolean {
    if (projectId === null) return false;
    const project = rows.projects.find(projectId);
    return project?.inTrash !== false || (status === 'open' && project.status !== 'active');
  }

  /** In this order, after `below`; by default the newest is on top of a list, the oldest on top of a day. */
  function addTasks(inputs: readonly NewTask[], below: TaskBeside | null = null): string[] {
    const made = inputs.map((input) => ({ id: crypto.randomUUID(), input }));
    const { day = [], list = [] } = Object.groupBy(made, ({ input }) => (isOfDay(input) ? 'day' : 'list'));
    const sent = [...list.toReversed(), ...day];
    context.run(() => {
      const created = sent.map(({ id, input }, turn) => draftTask(tasks, id, input, context.now(), turn));
      const added = made.flatMap(({ id }) => created.flatMap(({ row }) => (row.id === id ? [row] : [])));
      const placed = below === null ? [] : draftsBelow(added, below);
      const done = added.filter((_row, index) => made[index]?.input.isDone);
      const closed = done.map((row) => draftTransition(row, 'complete', context.now()));
      const toast = say.added(inputs, done.length);
      return { drafts: [...created.map(({ draft }) => draft), ...placed, ...closed], toast };
    });
    return made.map(({ id }) => id);
  }

  /** The tasks that are in the same list, or on the same day. */
  function draftsBelow(added: readonly TaskRow[], { id, scope }: TaskBeside): RecordDraft[] {
    const task = tasks.find(id);
    if (task === undefined) return [];
    return draftChain(
      tasks,
      added.filter((row) => isBeside(row, task, scope)),
      task.id,
      scope,
    );
  }

  function patchTask(
    ids: Ids,
    patch: TaskPatch,
    base: TaskPatch = {},
    toast: (titles: string[]) => ToastText | null = () => null,
  ): void {
    each(ids, (task) => draftPatch(tasks, task, patch).map((draft) => onBase(draft, base)), toast);
  }

  /** Plans it for that day; the reminder is kept unless another is given. */
  function plan(
    ids: Ids,
    dueDate: string,
    { reminderTime, after }: PlaceOptions & { reminderTime?: string | null } = {},
  ): void {
    const patch = reminderTime === undefined ? { dueDate } : { dueDate, reminderTime };
    const build = (task: TaskRow) => draftPatch(tasks, task, patch);
    const toast = (titles: string[]) => say.planned(titles, dueDate, reminderTime);
    if (after === undefined) each(ids, build, toast);
    else positions(ids, after, 'day', { build, toast });
  }

  return {
    /** Returns the temporary id, which can be used at once. */
    addTask(input: NewTask): string {
      const [id = ''] = addTasks([input]);
      return id;
    },
    addTasks,
    patchTask,

    /** Moves it to the top of the destination, or after `after`. */
    moveTask(ids: Ids, destination: Destination, { after }: PlaceOptions = {}): void {
      const isInbox = 'list' in destination && destination.list === 'inbox';
      const staysThere = (task: TaskRow) => isInbox && task.list === 'someday' && viewDate(task) !== null;
      const build = (task: TaskRow, turn = 0) =>
        staysThere(task) ? [] : [draftMove(tasks, task, destination, turn)];
      const toast = (titles: string[], found: TaskRow[]) => say.moved(titles, found, destination);
      if (after === undefined) each(ids, build, toast, { isOnTop: true });
      else positions(ids, after, 'list', { build, toast });
    },

    positionTask(ids: Ids, after: string | null, scope: 'list' | 'day', toast?: BuildFirst['toast']): void {
      positions(ids, after, scope, { toast });
    },

    complete(ids: Ids): void {
      transition(ids, 'complete', isOpenTask, commandWords.completed);
    },
    /** Its next occurrence arrives with the response. */
    skip(ids: Ids): void {
      transition(ids, 'skip', (task) => isOpenTask(task) && task.recurrence !== null, commandWords.skipped);
    },
    cancel(ids: Ids): void {
      transition(ids, 'cancel', isOpenTask, (titles, found) =>
        commandWords.cancelled(titles, found.filter((task) => task.recurrence !== null).length),
      );
    },
    /** Except tasks whose project takes no open tasks. */
    reopen(ids: Ids): void {
      const isFree = (task: TaskRow) => !hasLostProject({ ...task, status: 'open' });
      const build = (task: TaskRow) => (isFree(task) ? [draftTransition(task, 'reopen', context.now())] : []);
      const toast = (titles: string[], found: TaskRow[]) => {
        const opened = found.filter(isFree).map((task) => task.title);
        return opened.length > 0 ? commandWords.reopened(opened) : commandWords.notReopened(titles);
      };
      each(ids, build, toast, { applies: (task) => task.status !== 'open' });
    },
    trash(ids: Ids): void {
      each(ids, (task) => [draftTrash(task)], commandWords.trashed, { applies: (task) => !task.inTrash });
    },
    restore(ids: Ids): void {
      each(
        ids,
        (task) => [draftRestore(tasks, task, hasLostProject(task))],
        (titles, found) => say.restored(titles, found.find(hasLostProject)),
        { applies: (task) => task.inTrash },
      );
    },

    plan,
    /** Moves by this number of days; without a date counted from today. */
    shiftDates(ids: Ids, days: number): void {
      const dateOf = (task: TaskRow) => addDays(viewDate(task) ?? context.today(), days);
      each(
        ids,
        (task) => draftPatch(tasks, task, { dueDate: dateOf(task) }),
        (titles, found) => {
          const [date = '', ...others] = new Set(found.map(dateOf));
          return others.length === 0 ? say.planned(titles, date) : commandWords.shifted(titles, days);
        },
      );
    },
    planToday(ids: Ids): void {
      plan(ids, context.today());
    },
    /** Removes dates, reminder and project. */
    someday(ids: Ids): void {
      each(ids, (task, turn) => moveUndated(task, 'someday', turn), say.someday, { isOnTop: true });
    },
    /** In a project, removes the dates; otherwise moves the task to the Inbox. */
    noDate(ids: Ids): void {
      each(
        ids,
        (task, turn) => (task.list === 'project' ? withoutDates(task) : moveUndated(task, 'inbox', turn)),
        (titles, found) =>
          found.some(isPlanned)
            ? commandWords.unplanned(titles)
            : commandWords.moved(titles, commandWords.inbox),
        {
          isOnTop: true,
          applies: (task) => isPlanned(task) || task.list === 'someday',
          otherwise: commandWords.noDateToRemove,
        },
      );
    },
  };
}

/** `isOnTop`: the first task ends on top, so it is moved last. `otherwise`: the toast if none applies. */
type EachOptions = { applies?: (task: TaskRow) => boolean; isOnTop?: boolean; otherwise?: string | null };

type BuildFirst = {
  build?: (task: TaskRow) => RecordDraft[];
  toast?: ((titles: string[], found: TaskRow[]) => string | null) | undefined;
};
