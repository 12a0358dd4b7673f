/**
 * The heart of the app. Screens read signals and call commands; they never talk to the server.
 *
 *   const store = useStore();                                  // store/store-context.ts
 *   const { overdue, today, doneToday } = store.views.today.value;          // lists of ids
 *   const task = store.rows.tasks.row(id).value;               // TaskRow | undefined: it may go while it is shown
 *   const isWaiting = store.waiting.value.has(`task:${id}`);   // not sent yet
 *   const actor = store.actors.of('task', id);           // chip, until store.actors.markSeen('task', id)
 *   <Row key={store.keyOf(id)} />                              // stays when the temporary id becomes the server's
 *
 *   const id = store.commands.addTask({ title: 'Buy milk', dueDate: store.today.value });
 *   store.commands.complete(id);                               // or [id, id]: one toast, one step of undo
 *   store.commands.moveTask(id, { projectId, sectionId: null }, { after: otherId });
 *   store.commands.positionTask(id, null, 'day');              // first of its day
 *   store.undo();                                              // the last command; store.undo(toast.undo) that one
 *
 *   await store.loadTexts([id]);                               // notes and checklist, then in the row
 *   const page = await store.read<AppTrashPage>('/app/api/v1/trash');       // throws ReadFailure
 *   store.adopt({ projects: page.projects, tasks: page.tasks });            // so that commands find these rows
 *
 * A closed task stays in its list for 1.2 s (`store.lingering`), folds, then the list leaves it out. Texts of toasts come
 * from the commands. `store.connection`, `store.notices` and `store.waiting` are what strips show.
 */
import type { ReadonlySignal } from '@preact/signals';
import type { AppAccount, AppActor, AppEntity, UndoResponse } from '#shared/app/app-protocol.ts';
import type { AreaCommands } from './area-commands.ts';
import type { LiveViews } from './live-views.ts';
import type { Notices } from './notices.ts';
import type { ProjectCommands } from './project-commands.ts';
import type { RecordChoice } from './record-choices.ts';
import type { ProjectRow, TaskRow } from './row-types.ts';
import type { Rows } from './rows.ts';
import type { SectionCommands } from './section-commands.ts';
import type { TaskCommands } from './task-commands.ts';

export type Connection =
  /** No answer of the server yet; rows of this device are shown. */
  | 'connecting'
  | 'online'
  | 'offline'
  /** 423: all readable, writes wait. */
  | 'suspended'
  /** 401: the page shows nothing of the account. */
  | 'signed-out';

type Commands = TaskCommands & ProjectCommands & SectionCommands & AreaCommands;

type Actors = {
  /** Who made the newest change of the row, other than this account's owner; null once seen. */
  of(entity: AppEntity, id: string): AppActor | null;
  markSeen(entity: AppEntity, id: string): void;
  /** When others last changed something; activity and its strip follow it. */
  lastChange: ReadonlySignal<string | null>;
};

export type Store = {
  /** Null until the first answer, or the copy on this device. */
  account: ReadonlySignal<AppAccount | null>;
  /** Without Premium, deadlines stay and none is set. */
  allowsDeadlines: ReadonlySignal<boolean>;
  /** Civil date in the account's time zone. */
  today: ReadonlySignal<string>;
  /** Now, to the minute. */
  minute: ReadonlySignal<Date>;
  timeZone: ReadonlySignal<string>;
  connection: ReadonlySignal<Connection>;
  /** Rows are there, from this device or from the server. */
  isLoaded: ReadonlySignal<boolean>;
  rows: Rows;
  views: LiveViews;
  commands: Commands;
  actors: Actors;
  notices: Notices;
  /** Rows with changes that were not sent yet, as `task:<id>`. */
  waiting: ReadonlySignal<ReadonlySet<string>>;
  waitingCount: ReadonlySignal<number>;
  /** Tasks closed a moment ago. */
  lingering: ReadonlySignal<ReadonlySet<string>>;
  /** The rows of what lingers fold now. */
  isFolding: ReadonlySignal<boolean>;
  /** Takes back the last command, or the named one. */
  undo(command?: string): void;
  /** What was undone last, until another command. */
  redo(): void;
  /** Takes back changes of the activity list; what was changed since stays, and is listed. Null: not done, and said. */
  undoStamps(stamps: readonly string[], label: string): Promise<UndoResponse | null>;
  /** With everything that builds on it; `choose`: each as it goes then. */
  retryRefused(id: number, choose?: RecordChoice): void;
  /** With everything that builds on it. */
  discardRefused(id: number): void;
  resolveNotes(taskId: string, choice: RecordChoice): void;
  loadTexts(ids: readonly string[]): Promise<void>;
  read<Answer>(path: string): Promise<Answer>;
  adopt(rows: { tasks?: readonly TaskRow[]; projects?: readonly ProjectRow[] }): void;
  /** The server's id of a row made on this device, once it has one; else the id itself. */
  idOf(id: string): string;
  /** The id that the row had first. */
  keyOf(id: string): string;
  /** Resolves when what commands wrote is shown and on disk. */
  settled(): Promise<void>;
  /** The session has ended: once all is written, this device keeps nothing but what was not sent. */
  forget(): void;
};
