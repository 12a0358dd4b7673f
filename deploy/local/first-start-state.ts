import { existsSync, readFileSync } from 'node:fs';
import { writeFileAtomically } from './write-file-atomically.ts';

/** Decided before anything is made, so that a second attempt makes the same. */
type Plan = {
  email: string;
  password: string;
  /** Names this first start in idempotency keys. */
  runId: string;
  /** The date that the sample tasks are planned around. */
  today: string;
};

export type PlannedAccount = Plan & { stage: 'account' };
/** `created`: the ids of the samples that exist, in the order of their creation. */
export type AccountWithToken = Plan & {
  stage: 'samples' | 'unseen';
  token: string;
  created: readonly string[];
};

/** How far the first start came. The secrets are kept until they have been shown, and no longer. */
export type FirstStartState = PlannedAccount | AccountWithToken | { stage: 'done' };

export function readFirstStartState(file: string): FirstStartState | undefined {
  if (!existsSync(file)) return undefined;
  const state: FirstStartState = JSON.parse(readFileSync(file, 'utf8'));
  return state;
}

export function writeFirstStartState<State extends FirstStartState>(file: string, state: State): State {
  writeFileAtomically(file, JSON.stringify(state));
  return state;
}
