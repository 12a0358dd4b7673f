import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import { codeOf, insufficientPrivilege } from '../errors/error-code.ts';
import type { Logger } from '../logging/logger.ts';

/** The reason why a service is not ready. */
type FailedCheck = {
  /** Shown by `/readyz`: no address, no reason. */
  waitingFor: string;
  /** For the log: host and port at most, no login, no password. Constant while the reason stays the same. */
  reason: string;
  /** Error code of PostgreSQL or the system; may vary between attempts. */
  code?: string;
  /** It does not recover by itself. */
  needsOperator: boolean;
  /** Logged once. */
  error?: unknown;
};

/** Returns undefined if the service is ready. */
type StartupCheck = () => Promise<FailedCheck | undefined>;

type RequiredSchema = {
  url: string;
  /** The service's role, which reads the table of applied migrations. */
  role: string;
  schema: string;
  /** Required migrations. Newer ones are accepted: the next release's migration runs before its code. */
  migrations: readonly string[];
  /** For the connection, and for the statement. */
  timeoutMilliseconds: number;
};

export type StartRequirements = {
  requiredSchema: RequiredSchema;
  /** Data that must be loaded before the first request, and its name in readiness and log. */
  initialData: { name: string; load(): Promise<void> };
};

/** Checks the database, then loads the first data. */
export function createStartupCheck({ requiredSchema, initialData }: StartRequirements): StartupCheck {
  return async () => {
    const failed = await checkDatabase(requiredSchema);
    if (failed) return failed;
    try {
      await initialData.load();
      return undefined;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { waitingFor: initialData.name, reason, needsOperator: !isDatabaseUnavailable(error), error };
    }
  };
}

const undefinedRole = new Set(['22023', '42704']);
/** Missing schema or table, or no right to read it yet. */
const notMigrated = new Set(['3F000', '42P01', insufficientPrivilege]);

/** What does not pass by itself (PostgreSQL, appendix A). */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password',
  '28000': 'does not let the login in',
  '3D000': 'has no database of that name',
  '25006': 'is read-only',
};

/** Why a server refuses every connection; undefined for what may pass. */
export function refusalOf(error: unknown): string | undefined {
  // PgBouncer has this one code for all its errors.
  if (codeOf(error) === '08P01' && error instanceof Error && error.message.includes('startup parameter'))
    return 'refuses the settings of a connection: see PgBouncer in docs/operating.md';
  return refusals[codeOf(error)];
}

/** Uses its own connection, independent of the pool. */
async function checkDatabase(required: RequiredSchema): Promise<FailedCheck | undefined> {
  const { url, role, schema, migrations, timeoutMilliseconds } = required;
  const socket = new Socket();
  const client = new pg.Client({
    stream: () => socket,
    connectionString: url,
    connectionTimeoutMillis: timeoutMilliseconds,
    options: `-c role=${role} -c timezone=UTC`,
  });
  client.on('error', () => undefined);
  // Also ends a statement on an unresponsive server.
  const end = () => void client.end().catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.connect();
  } catch (error) {
    return connectionFailure(error, required, socket.destroyed);
  }
  try {
    timer = setTimeout(end, timeoutMilliseconds);
    const { rowCount } = await client.query(
      `select where current_user = $1 and current_setting('timezone') = 'UTC'`,
      [role],
    );
    if (rowCount === 0) return settingsIgnored(required);
    const { rows } = await client.query<{ name: string }>(`select name from "${schema}".schema_migration`);
    const applied = new Set(rows.map(({ name }) => name));
    const missing = migrations.filter((name) => !applied.has(name));
    return missing.length === 0 ? undefined : migrationMissing(`${schema}/${missing.join(', ')} not applied`);
  } catch (error) {
    if (notMigrated.has(codeOf(error))) return migrationMissing(`there is no complete schema «${schema}»`);
    return connectionFailure(error, required, socket.destroyed);
  } finally {
    clearTimeout(timer);
    end();
  }
}

function migrationMissing(what: string): FailedCheck {
  return { waitingFor: 'migrations', reason: `the migration has not run: ${what}`, needsOperator: false };
}

/** Without its role a service has other rights, without its time zone other timestamps. */
function settingsIgnored({ url }: RequiredSchema): FailedCheck {
  const reason = `${serverOf(url)} ignores the settings of a connection: see PgBouncer in docs/operating.md`;
  return { waitingFor: 'PostgreSQL', reason, needsOperator: true };
}

function serverOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `PostgreSQL at ${hostname}:${port || '5432'}`;
}

/** Without the driver's message, which contains the login and may be localised. */
function connectionFailure(error: unknown, { url, role }: RequiredSchema, isLost: boolean): FailedCheck {
  const code = codeOf(error);
  if (undefinedRole.has(code)) return migrationMissing(`there is no role ${role}`);
  const server = serverOf(url);
  const refusal =
    code === insufficientPrivilege
      ? `does not let the login take on the role ${role}: run the migration, or grant the role to the login`
      : refusalOf(error);
  const isUnavailable = refusal === undefined && (isLost || isDatabaseUnavailable(error));
  // The driver's own errors, such as those of TLS, have no code.
  const why = code === '' && error instanceof Error ? `: ${error.message}` : '';
  const what = refusal ?? (isUnavailable ? 'does not respond' : `can't be used${why}`);
  return { waitingFor: 'PostgreSQL', reason: `${server} ${what}`, code, needsOperator: !isUnavailable };
}

type WaitOptions = {
  check: StartupCheck;
  onFailed(failed: FailedCheck): void;
  logger: Logger;
  signal: AbortSignal;
};

const firstPauseMilliseconds = 50;
const longestPauseMilliseconds = 1_000;
/** A lasting failure is logged at this interval. */
const repeatMilliseconds = 10_000;

/**
 * Resolves when the check passes, without a timeout: an operator may fix a password or a missing database
 * meanwhile. Rejects with the reason of `signal` when it aborts.
 */
export async function waitUntilReady({ check, onFailed, logger, signal }: WaitOptions): Promise<void> {
  const startedAt = performance.now();
  let logged: { reason: string; at: number } | undefined;
  for (let pause = firstPauseMilliseconds; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
    const failed = await check();
    signal.throwIfAborted();
    if (failed === undefined) break;
    onFailed(failed);
    const { waitingFor, reason, code, needsOperator, error } = failed;
    const isNew = logged?.reason !== reason;
    if (isNew || performance.now() - (logged?.at ?? 0) >= repeatMilliseconds) {
      const line = { waitingFor, reason, code, ...(isNew && error !== undefined && { err: error }) };
      logger[needsOperator ? 'error' : 'warn'](line, `waiting for ${waitingFor}`);
      logged = { reason, at: performance.now() };
    }
    await delay(pause, undefined, { signal });
  }
  if (logged === undefined) return;
  const waitedSeconds = Math.round((performance.now() - startedAt) / 100) / 10;
  logger.info({ waitedSeconds }, 'startup checks passed');
}
