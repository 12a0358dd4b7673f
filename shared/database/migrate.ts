import { type Migration, Migrator } from '@mikro-orm/migrations';
import { type Constructor, type EntityManager, MikroORM } from '@mikro-orm/postgresql';

export type MigrationList = readonly { name: string; class: Constructor<Migration> }[];

export type MigrationPlan = {
  /** A login that may create schemas and roles. */
  url: string;
  /** The schema the migrations own; it also keeps the record of those applied. */
  schema: string;
  migrations: MigrationList;
  /** The role of the service that works in the schema; it reads the record to know whether it can start. */
  role: string;
};

/** Serialises migrators: two started at once apply each migration once. An arbitrary constant, the same everywhere. */
const migrationLockKey = 7_267_311;

/** Requests for a table queue behind a migration that waits for its lock: it gives up before they time out. */
const lockTimeoutMilliseconds = 500;

/**
 * Applies what is pending, all in one transaction. Returns the names applied. Throws 55P03, with nothing applied,
 * when a lock is not had in time.
 */
export async function migrate(plan: MigrationPlan): Promise<string[]> {
  const orm = new MikroORM({
    clientUrl: plan.url,
    extensions: [Migrator],
    entities: [],
    discovery: { warnWhenNoEntities: false },
    migrations: {
      migrationsList: [...plan.migrations],
      tableName: 'schema_migration',
      schema: plan.schema,
      snapshot: false,
      allOrNothing: true,
    },
    pool: { min: 0, max: 4 },
    driverOptions: { options: `-c lock_timeout=${lockTimeoutMilliseconds}` },
    logger: () => undefined,
  } as ConstructorParameters<typeof MikroORM>[0]);
  try {
    return await orm.em.fork().transactional(async (em) => {
      // Nobody waits behind this one but other migrations.
      await em.execute('set local lock_timeout = 0');
      await em.execute('select pg_advisory_xact_lock(?)', [migrationLockKey]);
      // Not in this transaction: the migrator makes its schema and its record over connections of its own.
      const applied = await orm.migrator.up();
      await letRead(em, plan.role, `${plan.schema}.schema_migration`);
      return applied.map(({ name }) => name);
    });
  } finally {
    await orm.close(true);
  }
}

/** Only where it is missing, so that a login that owns nothing can still find that nothing is pending. */
async function letRead(em: EntityManager, role: string, table: string): Promise<void> {
  const [found] = await em.execute<{ may: boolean }[]>(`select has_table_privilege(?, ?, 'select') as may`, [
    role,
    table,
  ]);
  if (found?.may === false) await em.execute(`grant select on ${table} to ${role}`);
}
