import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { scopes } from '#shared/scopes.ts';
import { createAssistantSamples, createOwnSamples, type SampleApi } from './create-samples.ts';
import { assistantName } from './sample-tasks.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** Runs the operator's command; rejects with its error message. */
export type RunAdmin = (parameters: readonly string[], standardInput?: string) => Promise<unknown>;

export type FirstStartRequest = {
  /** Stores the state of an unfinished first start, so that the next start completes it. */
  stateFile: string;
  admin: RunAdmin;
  apiRoot: string;
  databaseUrl: string;
  signal: AbortSignal;
  onProgress(message: string): void;
};

/** Stored first, so that a retry creates the same. `runId` is part of idempotency keys. */
type State = { stage: 'account'; email: string; password: string; today: string; runId: string };
type Token = { id: string; secret: string };
/** `token` is shown to the user. Samples are written with other tokens. */
type StateWithToken = State & { token: string; owner: Token; assistant: Token; isFilled?: true };

export type FirstAccount = { email: string; password: string; token: string };

export const localAccountEmail = 'you@example.com';

/**
 * On the first start, creates an account, a token and sample tasks; undefined if an earlier start has shown
 * them, or the database came with accounts. Call `finishFirstStart` once the secrets have been shown.
 */
export async function makeFirstAccount(request: FirstStartRequest): Promise<FirstAccount | undefined> {
  const { stateFile, onProgress } = request;
  const earlier = readState(stateFile);
  if (earlier?.stage === 'done') return undefined;
  if (earlier === undefined && (await hasAccounts(request.databaseUrl))) {
    finishFirstStart(stateFile);
    return undefined;
  }
  onProgress('Creating a local account … (first start only)');
  const account = earlier && 'token' in earlier ? earlier : await createAccount(request, earlier);
  onProgress('Creating sample tasks … (first start only)');
  await fillAccount(request, account);
  return account;
}

/** As the owner, then as an assistant; each token is revoked afterwards. */
async function fillAccount(request: FirstStartRequest, account: StateWithToken): Promise<void> {
  const { runId, owner, assistant } = account;
  const today = Temporal.PlainDate.from(account.today);
  if (!account.isFilled) {
    const ids = await createOwnSamples(apiOf(request, owner.secret, runId), today);
    await createAssistantSamples(apiOf(request, assistant.secret, runId), ids, today);
    await fileAsApp(request.databaseUrl, assistant);
    writeState(request.stateFile, { ...account, isFilled: true });
  }
  const revoke = ({ id }: Token) => request.admin(['token', 'revoke', `--token-id=${id}`]);
  await Promise.all([owner, assistant].map(revoke));
}

/** Activity shows the sample assistant as one: a real one has a person's consent instead of a token. */
async function fileAsApp(databaseUrl: string, { id }: Token): Promise<void> {
  await runSql(databaseUrl, "update tasks.change_history set actor_kind = 'app' where actor_id = $1", [id]);
}

async function runSql(databaseUrl: string, text: string, values: string[] = []) {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}

/** Deletes the secrets after they have been shown. */
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

/** Of people who do not expect another one in it. */
async function hasAccounts(databaseUrl: string): Promise<boolean> {
  const { rowCount } = await runSql(databaseUrl, 'select from auth.account limit 1');
  return rowCount !== 0;
}

async function createAccount(
  request: FirstStartRequest,
  earlier: State | undefined,
): Promise<StateWithToken> {
  const { admin, stateFile } = request;
  const state = earlier ?? writeState(stateFile, newPlan());
  const { email, password } = state;
  const named = [`--email=${email}`];
  const options = [...named, '--password=-', '--plan=premium', `--timezone=${localTimezone()}`];
  try {
    await admin(['account', 'create', ...options], password);
  } catch (error) {
    const exists = earlier && (await admin(['account', 'show', ...named]).catch(() => undefined));
    if (exists === undefined) throw error;
  }
  const make = (name: string) => createToken(request, email, name);
  const [shown, owner, assistant] = await Promise.all([
    make('First token'),
    make('First start'),
    make(assistantName),
  ]);
  return writeState(stateFile, { ...state, token: shown.secret, owner, assistant });
}

function newPlan(): State {
  const today = Temporal.Now.plainDateISO(localTimezone()).toString();
  const password = randomBytes(12).toString('base64url');
  return { stage: 'account', email: localAccountEmail, password, today, runId: randomUUID() };
}

function localTimezone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Calls are idempotent across starts, by key or by nature. */
function apiOf({ apiRoot, signal }: FirstStartRequest, token: string, runId: string): SampleApi {
  let calls = 0;
  const send = async (method: string, path: string, body?: object): Promise<unknown> => {
    calls += 1;
    const response = await fetch(`${apiRoot}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(method === 'POST' && { 'Idempotency-Key': `${runId}-${calls}` }),
      },
      body: body && JSON.stringify(body),
      signal,
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    async create(path, body) {
      const { id } = { id: '', ...Object(await send('POST', path, body)) };
      return String(id);
    },
    async act(method, path) {
      await send(method, path);
    },
    async change(path, body) {
      await send('PATCH', path, body);
    },
  };
}

async function createToken({ admin }: FirstStartRequest, email: string, name: string): Promise<Token> {
  const answer = await admin([
    'token',
    'create',
    `--email=${email}`,
    `--name=${name}`,
    `--scopes=${scopes.join(',')}`,
  ]);
  const { tokenId, secret } = { tokenId: '', secret: '', ...Object(answer) };
  return { id: String(tokenId), secret: String(secret) };
}
