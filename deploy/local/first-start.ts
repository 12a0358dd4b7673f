import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type Create, createSamples } from './sample-tasks.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

export type FirstStartRequest = {
  /** Remembers an account whose secrets have not been shown yet, so that the next start finishes what this began. */
  stateFile: string;
  /** Runs the operator's command; rejects with what it says when it fails. */
  admin(...parameters: string[]): Promise<unknown>;
  apiRoot: string;
  signal: AbortSignal;
  onProgress(message: string): void;
};

/** Decided before anything is made, so that a second attempt makes the same. `runId` names it in idempotency keys. */
type Plan = { email: string; password: string; today: string; runId: string };
type State = { stage: 'account' } & Plan;
type StateWithToken = State & { token: string };

export type FirstAccount = { email: string; password: string; token: string };

export const localAccountEmail = 'you@example.com';

/**
 * On the first start: an account, a token and sample tasks; undefined when an earlier start has shown them, or the
 * account was there before. Call `finishFirstStart` once the secrets have been shown.
 */
export async function makeFirstAccount(request: FirstStartRequest): Promise<FirstAccount | undefined> {
  const { stateFile, onProgress } = request;
  const earlier = readState(stateFile);
  if (earlier?.stage === 'done') return undefined;
  onProgress('Creating a local account … (first start only)');
  const account = earlier && 'token' in earlier ? earlier : await createAccount(request, earlier);
  if (account === undefined) {
    finishFirstStart(stateFile);
    return undefined;
  }
  onProgress('Creating sample tasks … (first start only)');
  await createSamples(createThrough(request, account), Temporal.PlainDate.from(account.today));
  return account;
}

/** The secrets have been shown: forget them. */
export function finishFirstStart(stateFile: string): void {
  writeFileAtomically(stateFile, JSON.stringify({ stage: 'done' }));
}

function readState(file: string): { stage: 'done' } | State | StateWithToken | undefined {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function writeState<Kind extends State>(file: string, state: Kind): Kind {
  writeFileAtomically(file, JSON.stringify(state));
  return state;
}

/** Undefined when somebody has made an account of this address before any first start: it is left alone. */
async function createAccount(
  { admin, stateFile }: FirstStartRequest,
  earlier: State | undefined,
): Promise<StateWithToken | undefined> {
  const state = earlier ?? writeState(stateFile, newPlan());
  const { email, password } = state;
  const named = [`--email=${email}`];
  const options = [...named, `--password=${password}`, '--plan=premium', `--timezone=${localTimezone()}`];
  try {
    await admin('account', 'create', ...options);
  } catch (error) {
    const exists = await admin('account', 'show', ...named).catch(() => undefined);
    if (exists === undefined) throw error;
    if (earlier === undefined) return undefined;
  }
  const answer = await admin('token', 'create', ...named, '--name=First start', '--scopes=read,write');
  const { secret } = { secret: '', ...Object(answer) };
  return writeState(stateFile, { ...state, token: String(secret) });
}

function newPlan(): State {
  const today = Temporal.Now.plainDateISO(localTimezone()).toString();
  const password = randomBytes(12).toString('base64url');
  return { stage: 'account', email: localAccountEmail, password, today, runId: randomUUID() };
}

function localTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** A creation that an earlier start made is not made again: its idempotency key is the same. */
function createThrough({ apiRoot, signal }: FirstStartRequest, { token, runId }: StateWithToken): Create {
  let calls = 0;
  return async (path, body) => {
    calls += 1;
    const response = await fetch(`${apiRoot}${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': `${runId}-${calls}`,
      },
      body: JSON.stringify(body),
      signal,
    });
    const answer: unknown = await response.json();
    if (response.ok && answer instanceof Object && 'id' in answer) return String(answer.id);
    throw new Error(`POST ${path} was answered ${response.status}: ${JSON.stringify(answer)}`);
  };
}
