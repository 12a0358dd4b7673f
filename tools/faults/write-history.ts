/** A client's write and its outcome, to be compared with the stored rows. */
export type WriteRecord = {
  accountId: string;
  /** The title the task was created with; no two tasks have the same. */
  label: string;
  /** Known after the first successful response. */
  taskId?: string | undefined;
  change: TaskChange;
  /** With a key the write may be sent again and still happens once. */
  isKeyed: boolean;
  outcome: WriteOutcome;
};

/** `unknown`: a 5xx or no answer at all, so that it may have happened. `refused`: a 4xx. */
export type WriteOutcome = 'acknowledged' | 'unknown' | 'refused';

export type TaskChange =
  | { kind: 'create'; list: 'inbox' | 'someday' }
  | { kind: 'patch'; title: string }
  | { kind: 'move'; list: 'inbox' | 'someday' }
  | { kind: 'complete' }
  | { kind: 'complete-repeating' }
  | { kind: 'trash' };

/** The compared properties of a task. */
export type TaskState = {
  title: string;
  status: string;
  list: string;
  inTrash: boolean;
  /** Of a repeating task: how many occurrences are in the logbook. */
  occurrences: number;
};

export function applyChange(state: TaskState, change: TaskChange): TaskState {
  switch (change.kind) {
    case 'patch':
      return { ...state, title: change.title };
    case 'create':
    case 'move':
      return { ...state, list: change.list };
    case 'complete':
      return { ...state, status: 'completed' };
    case 'complete-repeating':
      return { ...state, occurrences: state.occurrences + 1 };
    case 'trash':
      return { ...state, inTrash: true };
  }
}
