/** The contract's types, written from the specification, not derived from the code. */

export type JsonObject = Record<string, unknown>;

type TaskStatus = 'open' | 'completed' | 'cancelled';
export type ListName = 'inbox' | 'someday' | 'project';
export type Weekday = 'monday' | 'tuesday' | 'wednesday' | 'thursday' | 'friday' | 'saturday' | 'sunday';

export type Recurrence = {
  frequency: 'daily' | 'weekly' | 'monthly' | 'yearly';
  interval: number;
  weekdays: Weekday[];
  fromCompletion: boolean;
  /** Extensions, present only if set. */
  weekOfMonth?: 1 | 2 | 3 | 4 | -1;
  until?: string;
};

export type ChecklistItem = { id: string; title: string; completed: boolean };

/** What is the same in requests and responses. */
export type TaskFields = {
  dueDate: string | null;
  deadlineDate: string | null;
  reminderTime: string | null;
};

export type Task = TaskFields & {
  id: string;
  title: string;
  description: string | null;
  descriptionHtml: string;
  status: TaskStatus;
  list: ListName;
  projectId: string | null;
  sectionId: string | null;
  recurrence: Recurrence | null;
  checklist: ChecklistItem[];
  inTrash: boolean;
  inLogbook: boolean;
  completedAt: string | null;
  cancelledAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type Section = { id: string; projectId: string; title: string; createdAt: string; updatedAt: string };

export type Project = {
  id: string;
  title: string;
  description: string | null;
  descriptionHtml: string;
  status: 'active' | 'completed' | 'cancelled';
  areaId: string | null;
  deadlineDate: string | null;
  inTrash: boolean;
  sections: Section[];
  completedAt: string | null;
  cancelledAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type Area = { id: string; title: string; createdAt: string; updatedAt: string };

export type Identity = {
  accountId: string;
  tokenId: string;
  tokenName: string;
  scopes: ('read' | 'write')[];
  timezone: string;
  plan: 'free' | 'premium';
};

export type Page<Item> = { items: Item[]; nextCursor: string | null; hasMore: boolean };

export type Problem = {
  errorType: string;
  errorCode: string;
  message: string;
  errors?: Record<string, string[]>;
  requestId: string;
};
