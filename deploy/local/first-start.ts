import { randomBytes, randomUUID } from 'node:crypto';
import { createApiClient } from './api-client.ts';
import {
  type AccountWithToken,
  type PlannedAccount,
  readFirstStartState,
  writeFirstStartState,
} from './first-start-state.ts';
import type { OperatorCommand } from './operator-command.ts';
import { createSamples } from './sample-tasks.ts';

export type FirstStartRequest = {
  /** Remembers how far an earlier start came. */
  stateFile: string;
  operator: OperatorCommand;
  /** Where the API answers this process. */
  apiRoot: string;
  timezone: string;
  signal: AbortSignal;
  onProgress(message: string): void;
  onProblem(error: unknown): void;
  /** From here on these must not appear in any log. */
  hide(...secrets: string[]): void;
};

/** What the first start made, to be shown once; not complete when the sample tasks are not all there yet. */
export type FirstAccount = { email: string; password: string; token: string; isComplete: boolean };

export const localAccountEmail = 'you@example.com';
const TOKEN_NAME = 'First start';

/**
 * On the first start: an account, a token and something to look at; undefined when there is nothing (more) to do.
 * Each step is remembered, so a start that was killed is finished by the next one.
 * Call `finishFirstStart` once a complete answer has been shown.
 */
export async function makeFirstAccount(request: FirstStartRequest): Promise<FirstAccount | undefined> {
  const remembered = readFirstStartState(request.stateFile);
  if (remembered?.stage === 'done') return undefined;
  const state = remembered ?? writeFirstStartState(request.stateFile, planAccount(request.timezone));
  const isFirstAttempt = remembered === undefined;
  const account = state.stage === 'account' ? await createAccount(request, state, isFirstAttempt) : state;
  if (!account) {
    finishFirstStart(request.stateFile);
    return undefined;
  }
  const { email, password, token } = account;
  const isComplete = account.stage === 'unseen' || (await fillAccount(request, account));
  return { email, password, token, isComplete };
}

/** The secrets have been shown: forget them. */
export function finishFirstStart(stateFile: string): void {
  writeFirstStartState(stateFile, { stage: 'done' });
}

function planAccount(timezone: string): PlannedAccount {
  return {
    stage: 'account',
    email: localAccountEmail,
    password: randomBytes(12).toString('base64url'),
    runId: randomUUID(),
    today: Temporal.Now.plainDateISO(timezone).toString(),
  };
}

/** Undefined when the account was there before any first start: it is somebody's, and left alone. */
async function createAccount(
  request: FirstStartRequest,
  planned: PlannedAccount,
  isFirstAttempt: boolean,
): Promise<AccountWithToken | undefined> {
  const { operator, timezone } = request;
  const { email, password } = planned;
  request.onProgress('Creating a local account … (first start only)');
  request.hide(password);
  try {
    await operator.createAccount({ email, password, plan: 'premium', timezone });
  } catch (error) {
    if (!(await operator.accountExists(email))) throw error;
    if (isFirstAttempt) return undefined;
    // An earlier start was killed right after it had made the account, with the password it had planned.
  }
  const token = await operator.createToken({ email, name: TOKEN_NAME, scopes: 'read,write' });
  return writeFirstStartState(request.stateFile, { ...planned, stage: 'samples', token, created: [] });
}

/** The account is of use without the samples: a failure is told, and the next start goes on from there. */
async function fillAccount(request: FirstStartRequest, account: AccountWithToken): Promise<boolean> {
  const { stateFile, apiRoot, signal } = request;
  const { token, runId } = account;
  request.onProgress('Creating sample tasks … (first start only)');
  request.hide(token, account.password);
  let state = account;
  const api = createApiClient({
    apiRoot,
    token,
    runId,
    signal,
    created: account.created,
    onCreated: (created) => {
      state = writeFirstStartState(stateFile, { ...state, created });
    },
  });
  try {
    await createSamples(api, Temporal.PlainDate.from(account.today));
  } catch (error) {
    signal.throwIfAborted();
    request.onProblem(error);
    return false;
  }
  writeFirstStartState(stateFile, { ...state, stage: 'unseen' });
  return true;
}
