import { Socket } from 'node:net';
import pg from 'pg';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';

/** Why a service can't serve yet. */
export type FailedCheck = {
  /** Shown by `/readyz`: no address, no reason. */
  waitingFor: string;
  /** For the log: host and port at most, never a login or a password. The same text as long as nothing changes. */
  reason: string;
  /** PostgreSQL's or the system's name for it, which may differ from one try to the next. */
  code?: string;
  /** Waiting alone does not help. */
  needsOperator: boolean;
  error?: unknown;
};

/** Returns undefined once the service can serve. */
export type StartupCheck = () => Promise<FailedCheck | undefined>;

/** What a service must find in the database before it can serve. */
export type RequiredSchema = {
  url: string;
  /** The service's own role, which reads the record of what was applied. */
  role: string;
  schema: string;
  /** Must have been applied. Newer ones may be there: the next release's migration runs before its code. */
  migrations: readonly string[];
  /** For the connection, and for the statement. */
  timeoutMilliseconds: number;
};

export type StartRequirements = {
  requiredSchema: RequiredSchema;
  /** What no request can do without, and its name in readiness and log. */
  firstData: { name: string; load(): Promise<void> };
};

/** Checks the database, then loads the first data. */
export function createStartupCheck({ requiredSchema, firstData }: StartRequirements): StartupCheck {
  return async () => {
    const failed = await checkDatabase(requiredSchema);
    if (failed) return failed;
    try {
      await firstData.load();
      return undefined;
    } catch (error) {
      const reason = 'what is read first could not be read';
      return { waitingFor: firstData.name, reason, needsOperator: !isDatabaseUnavailable(error), error };
    }
  };
}

const undefinedRole = new Set(['22023', '42704']);
const insufficientPrivilege = '42501';
/** No schema, no table; or a record that the role may not read yet, as a migration of before left it. */
const notMigrated = new Set(['3F000', '42P01', insufficientPrivilege]);

/** Refusals of a login (PostgreSQL, appendix A). */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password',
  '28000': 'does not let the login in',
  '3D000': 'has no database of that name',
};

/** Over a connection of its own, so that it sees the server and not the state of the pool. */
async function checkDatabase(required: RequiredSchema): Promise<FailedCheck | undefined> {
  const { url, role, schema, migrations, timeoutMilliseconds } = required;
  const socket = new Socket();
  const client = new pg.Client({
    stream: () => socket,
    connectionString: url,
    connectionTimeoutMillis: timeoutMilliseconds,
    options: `-c role=${role}`,
  });
  client.on('error', () => undefined);
  // Ends the statement of an unresponsive server too.
  const end = () => void client.end().catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  try {
    await client.connect();
  } catch (error) {
    return connectionFailure(error, required, socket.destroyed);
  }
  try {
    timer = setTimeout(end, timeoutMilliseconds);
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

/** The driver's own message is left out: it names the login, and PostgreSQL words it in any language. */
function connectionFailure(error: unknown, { url, role }: RequiredSchema, isLost: boolean): FailedCheck {
  const code = codeOf(error);
  if (undefinedRole.has(code)) return migrationMissing(`there is no role ${role}`);
  const { hostname, port } = new URL(url);
  const server = `PostgreSQL at ${hostname}:${port || '5432'}`;
  const refusal =
    code === insufficientPrivilege
      ? `does not let the login take on the role ${role}: run the migration, or grant the role to the login`
      : refusals[code];
  const isAway = refusal === undefined && (isLost || isDatabaseUnavailable(error));
  const what = refusal ?? (isAway ? 'does not respond' : "can't be used");
  return { waitingFor: 'PostgreSQL', reason: `${server} ${what}`, code, needsOperator: !isAway };
}

/** PostgreSQL's SQLSTATE, or the system's name for it. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
