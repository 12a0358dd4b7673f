import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describeEnd } from '#local/child-process.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { lastLines, startLoggedProcess } from '../../logged-process.ts';
import type { Bench, World } from '../bench.ts';
import { encodeRequest, sendOnce } from '../load.ts';
import { type ServerProcess, startServer } from '../server-process.ts';
import { withConnection } from '../stores.ts';
import { installPeer } from './install-peer.ts';

/** Directus over the tasks of a world; disposing it drops its database. */
type Directus = AsyncDisposable & {
  start(): Promise<ServerProcess>;
  /** One for each account. */
  users: readonly DirectusUser[];
};

type DirectusUser = { accountId: string; token: string };

const databaseName = 'directus';
const collection = 'task';
/** The columns of tasks.task that a page shows. */
const columns = [
  ...['id', 'title', 'description', 'description_html', 'status', 'list', 'project_id', 'section_id'],
  ...['due_date', 'deadline_date', 'reminder_time', 'recurrence', 'checklist'],
  ...['completed_at', 'cancelled_at', 'created_at', 'updated_at'],
];

/** The settings that its guide recommends for production, without telemetry and further work. */
const production = {
  NODE_ENV: 'production',
  DB_CLIENT: 'pg',
  LOG_STYLE: 'raw',
  TELEMETRY: 'false',
  WEBSOCKETS_ENABLED: 'false',
  // Otherwise each log line is formatted a second time for WebSocket readers.
  WEBSOCKETS_LOGS_ENABLED: 'false',
  // It would refuse requests while the event loop is busy, as it is under maximum load.
  PRESSURE_LIMITER_ENABLED: 'false',
};

export async function prepareDirectus(bench: Bench, { databaseUrl, accountIds }: World): Promise<Directus> {
  const folder = installPeer(bench, 'directus');
  await using parts = new AsyncDisposableStack();
  const workFolder = path.join(bench.directory, 'directus');
  for (const name of ['uploads', 'extensions']) mkdirSync(path.join(workFolder, name), { recursive: true });
  parts.defer(() => bench.stores.dropDatabase(databaseName));
  const settings = {
    ...production,
    SECRET: randomBytes(32).toString('base64url'),
    DB_CONNECTION_STRING: await createDatabase(databaseUrl),
  };
  const script = 'tools/bench/peers/become-directus.ts';
  const start = () =>
    startServer({
      script,
      scriptArguments: () => [folder, workFolder, 'start'],
      environment: (port) => ({ ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` }),
      logFile: path.join(workFolder, 'directus.log'),
    });
  const adminToken = randomBytes(24).toString('base64url');
  const administrator = {
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: adminToken,
    ADMIN_TOKEN: adminToken,
  };
  const logFile = path.join(workFolder, 'bootstrap.log');
  const bootstrap = [script, folder, workFolder, 'bootstrap'];
  const { child, ended } = await startLoggedProcess(bootstrap, { ...settings, ...administrator }, logFile);
  // Nothing else would keep this process running.
  child.ref();
  const end = await ended;
  if (end.code !== 0) throw new Error(`directus bootstrap ${describeEnd(end)}: ${lastLines(logFile)}`);
  const users = await addUsers(await start(), adminToken, accountIds);
  const kept = parts.move();
  return { start, users, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

/**
 * A database of its own in the same server, with the same rows and an index for the page. Directus wants a
 * primary key of one column. Nothing may be connected to the world meanwhile.
 */
async function createDatabase(worldUrl: string): Promise<string> {
  const world = new URL(worldUrl).pathname.slice(1);
  await withConnection(databaseUrlOn(worldUrl, 'postgres'), ({ run }) =>
    run(`create database ${databaseName} template ${world}`),
  );
  const url = databaseUrlOn(worldUrl, databaseName);
  const names = ['account_id', 'trashed_at', ...columns].join(', ');
  await withConnection(url, async ({ run }) => {
    await run(`create table public.${collection} as select ${names} from tasks.task`);
    await run(`alter table public.${collection} alter account_id set not null, add primary key (id)`);
    await run(`create index on public.${collection} (account_id, created_at, id)`);
    await run('drop schema auth cascade');
    await run('drop schema tasks cascade');
    await run('vacuum analyze');
  });
  return url;
}

/** Users with the accounts' ids, whose role may read that account's tasks alone. Stops the server. */
async function addUsers(
  started: ServerProcess,
  adminToken: string,
  accountIds: readonly string[],
): Promise<DirectusUser[]> {
  await using server = started;
  const send = async (method: string, place: string, content: object): Promise<string | undefined> => {
    const response = await fetch(`http://127.0.0.1:${server.port}${place}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${adminToken}` },
      body: JSON.stringify(content),
    });
    const body = await response.text();
    if (!response.ok) throw new Error(`Directus responds to ${method} ${place}: ${response.status} ${body}`);
    const { data }: { data: { id?: string } } = JSON.parse(body);
    return data.id;
  };
  await send('PATCH', `/collections/${collection}`, { meta: {} });
  const own = { account_id: { _eq: '$CURRENT_USER' } };
  const policy = await send('POST', '/policies', {
    name: 'Own tasks',
    app_access: false,
    admin_access: false,
    permissions: [{ collection, action: 'read', fields: ['*'], permissions: own }],
  });
  const role = await send('POST', '/roles', { name: 'Account', policies: [{ policy }] });
  const users = accountIds.map((accountId) => ({ accountId, token: randomBytes(24).toString('base64url') }));
  const rows = users.map(({ accountId, token }) => {
    return { id: accountId, email: `${accountId}@example.com`, role, token };
  });
  await send('POST', '/users', rows);
  return users;
}

/** `GET /tasks` in Directus' terms. */
export function pageRequest({ token }: DirectusUser): Buffer {
  const query = new URLSearchParams({
    limit: '50',
    sort: 'created_at,id',
    'filter[trashed_at][_null]': 'true',
    fields: columns.join(','),
  });
  return encodeRequest({ path: `/items/${collection}?${query}`, token });
}

type Asked = { port: number; request: Buffer };

/** Throws unless both return the same tasks, member by member and in the same order. */
export async function requireSamePage(ours: Asked, directus: Asked, signal: AbortSignal): Promise<void> {
  const [page, answer] = await Promise.all(
    [ours, directus].map(async ({ port, request }) => {
      const { status, body } = await sendOnce(port, request, signal);
      if (status !== 200) throw new Error(`a page has status ${status}: ${body}`);
      return JSON.parse(String(body));
    }),
  );
  const rows: (Record<string, unknown> & { status: string })[] = answer.data;
  const same = rows.map((row) => {
    const members = Object.entries(row).map(([name, value]) => [camelCase(name), value]);
    return { ...Object.fromEntries(members), inTrash: false, inLogbook: row.status !== 'open' };
  });
  if (same.length > 0 && isDeepStrictEqual(page.items, same)) return;
  const shown = [page.items, same].map((tasks) => JSON.stringify(tasks).slice(0, 600));
  throw new Error(`Directus returns other tasks:\n${shown.join('\n')}`);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
