import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import type { Obstacle } from './obstacle.ts';

/** What a service must find in the database before it can serve. */
export type RequiredSchema = {
  url: string;
  /** The service's own role, which reads the record of what was applied. */
  role: string;
  schema: string;
  /** Names that must have been applied. Newer ones are no fault: the next release's migration runs before its code. */
  migrations: readonly string[];
  /** For the connection, and for each statement. */
  timeoutMilliseconds: number;
};

const undefinedRole = new Set(['22023', '42704']);
const insufficientPrivilege = '42501';
/** No schema, no table; or a record that the role may not read yet, as a migration of before left it. */
const notMigrated = new Set(['3F000', '42P01', insufficientPrivilege]);

/** Refusals of a login that only somebody can mend (PostgreSQL, appendix A). */
const refusals: Readonly<Record<string, string>> = {
  '28P01': 'refuses the password',
  '28000': 'does not let the login in',
  '3D000': 'has no database of that name',
};

/**
 * What stands between the service and its database, undefined when nothing does. Uses a connection of its own, so
 * that it sees the server and not what the service remembers of it.
 */
export async function findDatabaseObstacle(required: RequiredSchema): Promise<Obstacle | undefined> {
  const orm = new MikroORM({
    clientUrl: required.url,
    entities: [],
    // It would make a missing database, under a name that may be a typing error.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 1 },
    driverOptions: {
      connectionTimeoutMillis: required.timeoutMilliseconds,
      query_timeout: required.timeoutMilliseconds,
    },
    logger: () => undefined,
  });
  try {
    return await orm.em.fork().transactional((em) => findSchemaObstacle(em, required));
  } catch (error) {
    return connectionObstacle(error, required);
  } finally {
    // A silent server would be waited for here.
    void orm.close(true).catch(() => undefined);
  }
}

async function findSchemaObstacle(
  em: EntityManager,
  required: RequiredSchema,
): Promise<Obstacle | undefined> {
  const { role, schema, migrations } = required;
  try {
    await em.execute(`set local role "${role}"`);
  } catch (error) {
    return roleObstacle(error, role);
  }
  try {
    const rows = await em.execute<{ name: string }[]>(`select name from "${schema}".schema_migration`);
    const applied = new Set(rows.map(({ name }) => name));
    const missing = migrations.filter((name) => !applied.has(name));
    return missing.length === 0
      ? undefined
      : migrationsObstacle(`${schema}/${missing.join(', ')} not applied`);
  } catch (error) {
    if (!notMigrated.has(codeOf(error))) throw error;
    return migrationsObstacle(`there is no complete schema «${schema}»`);
  }
}

function roleObstacle(error: unknown, role: string): Obstacle {
  const code = codeOf(error);
  if (undefinedRole.has(code)) return migrationsObstacle(`there is no role ${role}`);
  if (code !== insufficientPrivilege) throw error;
  const reason = `the login may not take on the role ${role}: run the migration, or grant the role to the login`;
  return { waitingFor: 'PostgreSQL', reason, needsOperator: true };
}

function migrationsObstacle(what: string): Obstacle {
  return { waitingFor: 'migrations', reason: `the migration has not run: ${what}`, needsOperator: false };
}

/** The driver's own message is left out: it names the login, and PostgreSQL words it in any language. */
function connectionObstacle(error: unknown, { url }: RequiredSchema): Obstacle {
  const { hostname, port } = new URL(url);
  const server = `PostgreSQL at ${hostname}:${port || '5432'}`;
  const code = codeOf(error);
  const refusal = refusals[code];
  const isAway = refusal === undefined && (isDatabaseUnavailable(error) || isDriverTimeout(error));
  const what = refusal ?? (isAway ? 'does not answer' : "can't be used");
  return { waitingFor: 'PostgreSQL', reason: `${server} ${what}`, code, needsOperator: !isAway };
}

function isDriverTimeout(error: unknown): boolean {
  return error instanceof Error && /timeout/i.test(error.message);
}

/** Of an error or what caused it: PostgreSQL's SQLSTATE, or the system's name for it. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause === error ? '' : codeOf(error.cause);
}
