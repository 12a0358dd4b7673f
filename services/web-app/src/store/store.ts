/**
 * The heart of the app. Screens read signals and call commands; they never talk to the server.
 *
 *   const store = useStore();                         // store/store-context.ts
 *   const { overdue, today, doneToday } = store.views.today.value; // lists of ids
 *   const task = store.rows.tasks.row(id).value;      // TaskRow | undefined: it may go while shown
 *   const isWaiting = store.waiting.value.has(`task:${id}`); // not sent yet
 *   const actor = store.actors.of('task', id);        // chip, until store.actors.markSeen('task', id)
 *   <Row key={store.keyOf(id)} />                     // stays when the temporary id becomes the server's
 *
 *   const id = store.commands.addTask({ title: 'Buy milk', dueDate: store.today.value });
 *   store.commands.complete(id);                      // or [id, id]: one toast, one step of undo
 *   store.commands.moveTask(id, { projectId, sectionId: null }, { after: otherId });
 *   store.commands.positionTask(id, null, 'day');     // first of its day
 *   store.undo();                                     // the last command; store.undo(toast.undo) that one
 *
 *   await store.loadTexts([id]);                      // notes and checklist, then in the row
 *   const page = await store.read<AppTrashPage>('/app/api/v1/trash'); // throws ReadFailure
 *   store.adopt({ projects: page.projects, tasks: page.tasks }); // so that commands find these rows
 *
 * A closed task stays in its list for 1.2 s (`store.lingering`), folds, then the list leaves it out. Texts of
 * toasts come from the commands. `store.connection`, `store.notices` and `store.waiting` are shown by strips.
 */
import type { ReadonlySignal } from '@preact/signals';
import type { AppAccount, AppActor, AppEntity } from '#shared/app/app-protocol.ts';
import type { AreaCommands } from './area-commands.ts';
import type { FeedPosition } from './batch.ts';
import type { LiveViews } from './live-views.ts';
import type { Notices } from './notices.ts';
import type { ProjectCommands } from './project-commands.ts';
import type { RecordChoice } from './record-choices.ts';
import type { ProjectRow, TaskRow } from './row-types.ts';
import type { Rows } from './rows.ts';
import type { SectionCommands } from './section-commands.ts';
import type { TaskCommands } from './task-commands.ts';

export type Connection =
  /** No response yet; the local copy is shown. */
  | 'connecting'
  | 'online'
  | 'offline'
  /** 423: all readable, writes wait. */
  | 'suspended'
  /** 401: the page shows nothing of the account. */
  | 'signed-out';

type Commands = TaskCommands & ProjectCommands & SectionCommands & AreaCommands;

type Actors = {
  /** The actor of the row's newest change, other than the owner; null after it was seen. */
  of(entity: AppEntity, id: string): AppActor | null;
  markSeen(entity: AppEntity, id: string): void;
  /** Time of the last change by others. */
  lastChange: ReadonlySignal<string | null>;
};

export type Store = {
  /** null until the first response or local copy. */
  account: ReadonlySignal<AppAccount | null>;
  /** Without Premium, deadlines can be kept but not set. */
  allowsDeadlines: ReadonlySignal<boolean>;
  /** Civil date in the account's time zone. */
  today: ReadonlySignal<string>;
  /** Now, to the minute. */
  minute: ReadonlySignal<Date>;
  timeZone: ReadonlySignal<string>;
  connection: ReadonlySignal<Connection>;
  /** Rows are available, from the local copy or the server. */
  isLoaded: ReadonlySignal<boolean>;
  /** Of the account's feed, up to which rows are read. */
  position: ReadonlySignal<FeedPosition | null>;
  rows: Rows;
  views: LiveViews;
  commands: Commands;
  actors: Actors;
  notices: Notices;
  /** Rows with unsent changes, as `task:<id>`. */
  waiting: ReadonlySignal<ReadonlySet<string>>;
  waitingCount: ReadonlySignal<number>;
  /** Tasks closed a moment ago. */
  lingering: ReadonlySignal<ReadonlySet<string>>;
  /** Folds lingering rows now. */
  isFolding: ReadonlySignal<boolean>;
  /** Undoes the last command, or the given one. */
  undo(command?: string): void;
  /** Redoes the last undone command, until another command. */
  redo(): void;
  /** The record with all that depend on it; `choose` decides each. */
  retryRefused(id: number, choose?: RecordChoice): void;
  /** With all records that depend on it, unless `choose` returns them. */
  discardRefused(id: number, choose?: RecordChoice): void;
  resolveNotes(taskId: string, choice: RecordChoice): void;
  loadTexts(ids: readonly string[]): Promise<void>;
  /** Throws ReadFailure. */
  read<Answer>(path: string): Promise<Answer>;
  /** A write without the outbox: it needs a connection. Throws ReadFailure. */
  post<Answer>(path: string, body: object): Promise<Answer>;
  /** Reads changes now, not when the live stream tells of them. */
  pull(): Promise<void>;
  adopt(rows: { tasks?: readonly TaskRow[]; projects?: readonly ProjectRow[] }): void;
  /** The server's id of a locally created row, if known; otherwise the id itself. */
  idOf(id: string): string;
  /** The id that the row had first. */
  keyOf(id: string): string;
  /** Resolves when the commands' writes are shown and stored. */
  settled(): Promise<void>;
  /** The session has ended: deletes the local data, except unsent changes. */
  forget(): void;
};
