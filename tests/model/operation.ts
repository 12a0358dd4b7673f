import type { Recurrence } from '#tests/support/api-types.ts';
import type { ProjectFields, SentTask } from '#tests/support/factories.ts';

/** What a client asks for, in the names of the model: ids are the model's, and one it does not know is missing. */
export type Operation =
  | { do: 'create task'; fields: SentTask }
  | { do: 'patch task'; id: string; patch: TaskPatch }
  | { do: 'move task'; id: string; destination: Destination }
  | { do: TaskTransition; id: string }
  | { do: 'create project'; fields: ProjectFields }
  | { do: 'patch project'; id: string; patch: ProjectFields }
  | { do: 'complete project'; id: string; completeChildTasks: boolean | undefined }
  | { do: 'uncomplete project' | 'trash project'; id: string }
  | { do: 'create section'; projectId: string; title: string }
  | { do: 'patch section'; projectId: string; id: string; patch: SectionPatch }
  | { do: 'delete section'; projectId: string; id: string }
  | { do: 'create area'; title: string }
  | { do: 'patch area'; id: string; patch: { title?: string } }
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

/** `projectId` belongs to the move operation; a patch that names it is refused. */
export type TaskPatch = Omit<SentTask, 'title' | 'list' | 'sectionId' | 'recurrence'> & {
  title?: string | null;
  recurrence?: RulePatch | null;
};
/** A member that is not there stays, null takes one back to its default. */
export type RulePatch = Pick<Partial<Recurrence>, 'frequency'> & {
  [Member in Exclude<keyof Recurrence, 'frequency'>]?: Recurrence[Member] | null;
};
export type Destination = { list?: SentTask['list']; projectId?: string; sectionId?: string | null };
export type SectionPatch = { title?: string; position?: number };

export type Answer = {
  status: number;
  errorCode?: string;
  /** The field a 400 names, where it has one fault. */
  fault?: string;
  /** What the body shows. */
  shows?: { kind: 'task' | 'project' | 'section' | 'area'; id: string };
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
