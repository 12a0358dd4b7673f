/**
 * The protocol of the web app and resource-api below `/app/api/v1`. Internal, without compatibility promises.
 * What the public API can write, the app writes through the public operations; occurrences of a repeat, and
 * reopening with it, have their own.
 */

import type { Plan } from '../plans.ts';

/** Below the gateway's host: the app's page and the app's own operations. */
export const appPath = '/app';
export const appApiPath = '/app/api/v1';
/** What pages outside the app load. */
export const pageScriptPath = '/app/page.js';
/** Operations of auth-server, authenticated by the session cookie. */
export const appSessionPath = '/app/session';
/** `GET` of it lists AppConnections; below it, `/{id}/logo` is a PNG, or 204. */
export const connectedAppsPath = `${appSessionPath}/apps`;
/** `client_id` of the access tokens of the web app; their `grant_id` is the browser session's id. */
export const appClientId = 'first-party-app';
/** So long Activity shows a change, and it can be undone. */
export const historyDays = 30;
/** So many of an account's changes, the newest, the history keeps within that time. */
export const historyChanges = 100_000;

/** `YYYY-MM-DD` in the account's time zone. */
type CalendarDate = string;
/** RFC 3339, UTC, milliseconds. */
type Timestamp = string;

export type AppAccount = {
  id: string;
  email: string;
  timezone: string;
  plan: Plan;
  status: 'active' | 'suspended';
};

/** Response of `POST /app/session/token` (auth-server). */
export type AppSessionToken = { accessToken: string; expiresIn: number; account: AppAccount };

/** Response of `GET /app/session/reminders` (auth-server): the channels that would deliver a reminder. */
export type AppReminderChannels = { push: boolean; mail: boolean };

/** `id` is that of the changes' actor; `name` is the app's own word, `host` what vouches for it. */
export type AppConnection = {
  id: string;
  name: string;
  host: string | null;
  hasLogo: boolean;
  lastUsedAt: Timestamp | null;
};

/** Response of `GET /app/session/apps` (auth-server): oldest first. */
export type AppConnections = { apps: AppConnection[] };

export type AppRecurrence = {
  frequency: 'daily' | 'weekly' | 'monthly' | 'yearly';
  interval: number;
  weekdays: string[];
  fromCompletion: boolean;
  /** -1: the last. Requires exactly one of `weekdays`. */
  weekOfMonth?: number;
  until?: string;
};

export type AppChecklistItem = { id: string; title: string; completed: boolean };

/** Fields of a task that are stored, sent and copied as they are. */
export type TaskFields = {
  dueDate: CalendarDate | null;
  deadlineDate: CalendarDate | null;
  /** `HH:mm` */
  reminderTime: string | null;
};

/** Their values in a new task, and again when they are cleared. */
export const newTaskFields: TaskFields = { dueDate: null, deadlineDate: null, reminderTime: null };

/** Distance of neighbouring ranks: between two of them there is room for twenty halvings. */
export const rankStep = 2 ** 20;

/** A task in lists: the public fields without its texts, and its positions. */
export type AppTask = TaskFields & {
  id: string;
  title: string;
  status: 'open' | 'completed' | 'cancelled';
  list: 'inbox' | 'someday' | 'project';
  projectId: string | null;
  sectionId: string | null;
  recurrence: AppRecurrence | null;
  inTrash: boolean;
  completedAt: Timestamp | null;
  cancelledAt: Timestamp | null;
  createdAt: Timestamp;
  updatedAt: Timestamp;
  hasNotes: boolean;
  checklistTotal: number;
  checklistDone: number;
  /** Ascending within its list. */
  rank: number;
  /** Ascending within its day; null: not ordered by hand. */
  dayRank: number | null;
};

/** Response of `POST /rows`: tasks with their texts. */
export type AppTaskDetail = AppTask & {
  description: string | null;
  descriptionHtml: string;
  checklist: AppChecklistItem[];
};

export type AppProject = {
  id: string;
  title: string;
  description: string | null;
  descriptionHtml: string;
  /** True if long notes are omitted from a list (null and ''): `POST /rows` returns them. */
  hasLongNotes: boolean;
  status: 'active' | 'completed' | 'cancelled';
  areaId: string | null;
  deadlineDate: CalendarDate | null;
  inTrash: boolean;
  completedAt: Timestamp | null;
  cancelledAt: Timestamp | null;
  updatedAt: Timestamp;
  rank: number;
};

export type AppSection = {
  id: string;
  projectId: string;
  title: string;
  /** Ascending within its project. */
  rank: number;
  updatedAt: Timestamp;
};

export type AppArea = { id: string; title: string; rank: number; updatedAt: Timestamp };

export type AppRows = {
  areas: AppArea[];
  projects: AppProject[];
  sections: AppSection[];
  tasks: AppTask[];
};

/** Completed and cancelled tasks outside the Trash, by project id, for the progress rings. */
export type ClosedTaskCounts = Record<string, number>;

/** Response of `GET /snapshot`: open tasks, those closed today, active and closed projects; none trashed. */
export type AppSnapshot = AppRows & {
  seq: number;
  /**
   * Timestamp of the change `seq`; null for 0. Clients send it with `seq`: a database restored to an earlier
   * state may have used the number for another change, and responds with a reset.
   */
  stamp: Timestamp | null;
  account: Omit<AppAccount, 'email'>;
  closedTaskCounts: ClosedTaskCounts;
};

export const appEntities = ['task', 'project', 'section', 'area'] as const;
export type AppEntity = (typeof appEntities)[number];

/** `browser` is the account's owner in the web app; `id` is the session's, token's or app's. */
export type AppActor = { kind: 'app' | 'token' | 'browser' | 'operator'; id: string; name: string };

/** Response of `GET /changes?after=&stamp=&limit=`; `stamp` is left out where it is null. */
export type AppChanges =
  | { reset: true }
  | {
      reset: false;
      /** Apply the rest, then request changes after this number, with its stamp. */
      seq: number;
      stamp: Timestamp | null;
      more: boolean;
      account: Omit<AppAccount, 'email'>;
      /** Current rows of changed records, including trashed and closed ones. */
      upserts: AppRows;
      gone: { entity: AppEntity; id: string }[];
      /** Actor of the newest change of each record in `upserts` that has one. */
      actors: { entity: AppEntity; id: string; at: Timestamp; actor: AppActor }[];
      /** Replaces all counts; null if no task changed. */
      closedTaskCounts: ClosedTaskCounts | null;
    };

/** Body of `POST /rows`: ids of tasks or projects. Unknown ids are omitted from the response. */
export type AppRowsRequest = { ids: string[] };
export const mostRowsAsked = 200;
export type AppRowsResponse = {
  tasks: AppTaskDetail[];
  projects: AppProject[];
  /** Ids omitted because a response is limited to 2 MB: request them again. */
  notSent: string[];
};

/** `data:` of each event of `GET /live`. */
export type LiveEvent = { seq: number };

/**
 * Body of `POST /tasks/{id}/position`, `/projects/{id}/position`, `/areas/{id}/position`: after `after`, or
 * first if null. `day` orders the tasks of a day (Today, a day of Upcoming); projects and areas have only
 * `list`.
 */
export type PositionRequest = { after: string | null; scope: 'list' | 'day' };

/** Body of `PATCH /tasks/{id}` and `/projects/{id}`: another version stays as it is, 409 version_changed. */
export type VersionPatch = { updatedAt: Timestamp; patch: object };

/** Body of `POST /tasks/{id}/complete` and `/skip`: the day of the occurrence that is meant. */
export type OccurrenceRequest = { occurrence: CalendarDate | null };

/** Body of `POST /projects/{id}/complete`: the open tasks that the user was asked about; others give 409. */
export type ProjectCompletionRequest = { completeChildTasks: boolean; asked: string[] };
export const mostTasksAsked = 10_000;

export const longestSearch = 200;
/** Response of `GET /search?q=`: open and closed, not trashed, best first, at most 50 tasks, 20 projects. */
export type AppSearchResponse = { tasks: AppTask[]; projects: AppProject[]; isMore: boolean };

/** Response of `GET /trash?cursor=`: newest first; up to 200 projects and 50 tasks. */
export type AppTrashPage = {
  projects: (AppProject & { trashedAt: Timestamp; taskCount: number })[];
  tasks: (AppTask & { trashedAt: Timestamp })[];
  nextCursor: string | null;
};

/** One public field of one record. `after` is what this change wrote. */
export type FieldChange = { field: string; before: unknown; after: unknown };

export type ActivityChange = {
  /** `changed_at` of the transaction. */
  stamp: Timestamp;
  entity: AppEntity;
  id: string;
  /** The record's current title, or its last one if it was deleted. */
  title: string;
  change: 'created' | 'updated' | 'deleted';
  /** Empty for `created` and `deleted`. */
  fields: FieldChange[];
  /** It was taken back. */
  isUndone: boolean;
  /** Some of it was taken back: the rest has been changed since. */
  isPartlyUndone: boolean;
};

/** Changes of one actor within two minutes, newest entry first, its changes in order. */
export type ActivityEntry = {
  actor: AppActor;
  from: Timestamp;
  to: Timestamp;
  /** For `POST /undo` of the whole entry. */
  stamps: Timestamp[];
  /** The entry itself is an undo. */
  isUndo: boolean;
  /** It puts back what another undo took back. */
  isRedo: boolean;
  changes: ActivityChange[];
  /** Of a transaction with more than a hundred changes, by its timestamp: how many of them are not listed. */
  leftOut: Readonly<Record<Timestamp, number>>;
};

/** Response of `GET /activity?cursor=&entity=&id=&actor=`; with `id`, the history of that record. */
export type ActivityPage = { entries: ActivityEntry[]; nextCursor: string | null };

/** With each write of the web app: the id of the user's command, of which there may be several writes. */
export const commandHeader = 'X-Command-Id';

/** Transactions, or all of one command. */
export type UndoRequest = { stamps: Timestamp[] } | { command: string };
export type UndoResponse = {
  /** Number of undone changes of records. */
  undone: number;
  /** What stays, of the transaction with this timestamp: at most 500 entries. */
  kept: {
    stamp: Timestamp;
    entity: AppEntity;
    id: string;
    title: string;
    field: string | null;
    reason: string;
  }[];
  /** Number of all records of which something stays. */
  keptRecords: number;
  /** Timestamps of the undo, for `POST /undo` to redo. */
  stamps: Timestamp[];
};
