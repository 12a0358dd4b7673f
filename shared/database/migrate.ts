import { glob } from 'node:fs/promises';
import { type Migration, Migrator } from '@mikro-orm/migrations';
import { type Constructor, type EntityManager, MikroORM } from '@mikro-orm/postgresql';

export type MigrationList = readonly { name: string; class: Constructor<Migration> }[];

type MigrationPlan = {
  /** A login that may create schemas and roles. */
  url: string;
  /** The schema that the migrations own; it also has the table of applied migrations. */
  schema: string;
  migrations: MigrationList;
  /** The service's role; it may read the table of applied migrations. */
  role: string;
  onApplied(name: string): void;
};

/** Of the files `migration-<name>.ts` of a folder, in their order. Released ones never change. */
export async function readMigrations(folder: URL): Promise<MigrationList> {
  const files = (await Array.fromAsync(glob('migration-*.ts', { cwd: folder }))).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const exported: Record<string, Constructor<Migration>> = await import(new URL(file, folder).href);
      const [migration] = Object.values(exported);
      if (migration === undefined) throw new Error(`${file} exports no migration`);
      return { name: file.slice('migration-'.length, -'.ts'.length), class: migration };
    }),
  );
}

/** Serialises concurrent migrations. An arbitrary constant. */
const migrationLockKey = 7_267_311;

/** Requests queue behind a migration that waits for a table lock: it must give up before they time out. */
const lockTimeoutMilliseconds = 500;

/**
 * Applies the pending migrations. Throws 55P03 on a lock timeout; a repeated call continues. Each has a
 * transaction of its own: the short exclusive lock of one that adds a column must not last as long as a later
 * one works or waits.
 */
export async function migrate(plan: MigrationPlan): Promise<void> {
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
      allOrNothing: false,
    },
    pool: { min: 0, max: 4 },
    driverOptions: { options: `-c lock_timeout=${lockTimeoutMilliseconds}` },
    logger: () => undefined,
  } as ConstructorParameters<typeof MikroORM>[0]);
  orm.migrator.on('migrated', ({ name }) => plan.onApplied(name));
  try {
    await orm.em.fork().transactional(async (em) => {
      // Only other migrations queue behind this lock.
      await em.execute('set local lock_timeout = 0');
      await em.execute('select pg_advisory_xact_lock(?)', [migrationLockKey]);
      // Runs on connections of its own, not in this transaction.
      await orm.migrator.up();
      await grantRead(em, plan.role, `${plan.schema}.schema_migration`);
    });
  } finally {
    await orm.close(true);
  }
}

/** Only if missing, so that a login without ownership can still run with nothing pending. */
async function grantRead(em: EntityManager, role: string, table: string): Promise<void> {
  const [found] = await em.execute<{ may: boolean }[]>(`select has_table_privilege(?, ?, 'select') as may`, [
    role,
    table,
  ]);
  if (found?.may === false) await em.execute(`grant select on ${table} to ${role}`);
}
