import type { Recurrence } from '#tests/support/api-types.ts';
import type { ProjectFields, SentTask } from '#tests/support/factories.ts';
import type { Kind } from './account-state.ts';

/** What a client requests, with the model's ids. */
export type Operation =
  | { do: 'create task'; body: SentTask }
  | { do: 'patch task'; id: string; body: TaskPatch }
  | { do: 'move task'; id: string; body: Destination }
  | { do: TaskTransition; id: string }
  | { do: 'create project'; body: ProjectFields }
  | { do: 'patch project'; id: string; body: ProjectFields }
  | { do: 'complete project'; id: string; body: { completeChildTasks?: boolean } }
  | { do: 'uncomplete project' | 'trash project'; id: string }
  | { do: 'create section'; projectId: string; body: { title: string } }
  | { do: 'patch section'; projectId: string; id: string; body: SectionPatch }
  | { do: 'delete section'; projectId: string; id: string }
  | { do: 'create area'; body: { title: string } }
  | { do: 'patch area'; id: string; body: { title?: string } }
  | { do: 'delete area'; id: string }
  | { do: 'change account'; plan?: 'free' | 'premium'; timezone?: string };

export const taskTransitions = [
  'complete task',
  'skip task',
  'uncomplete task',
  'cancel task',
  'uncancel task',
  'trash task',
  'restore task',
] as const;
export type TaskTransition = (typeof taskTransitions)[number];

export type TaskPatch = Omit<SentTask, 'list' | 'projectId' | 'sectionId' | 'recurrence' | 'checklist'> & {
  recurrence?: RulePatch | null;
  checklist?: SentTask['checklist'] | null;
};
/** A member that is not there stays, null takes one back to its default. */
export type RulePatch = { [Member in keyof Recurrence]?: Recurrence[Member] | null };
export type Destination = { list?: SentTask['list']; projectId?: string; sectionId?: string | null };
export type SectionPatch = { title?: string; position?: number };

export type Answer = {
  status: number;
  errorCode?: string;
  /** The field a 400 names, where it has one fault. */
  fault?: string;
  /** What the body shows. */
  shows?: { kind: Kind; id: string };
};

/** Thrown by a rule; the account stays as it was. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(`${answer.status} ${answer.errorCode}`);
    this.answer = answer;
  }
}

export const notFound = () => new Refusal({ status: 404, errorCode: 'not_found' });
export const invalidState = () => new Refusal({ status: 409, errorCode: 'invalid_state' });
export const planLimit = (errorCode: string) => new Refusal({ status: 403, errorCode });
export const invalid = (fault: string) => new Refusal({ status: 400, errorCode: 'validation_error', fault });
