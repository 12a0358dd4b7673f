import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { Logger } from '../logging/logger.ts';
import { BoundDriver } from './bound-driver.ts';
import type { DatabaseObserver } from './database-observer.ts';
import { guardPool } from './guarded-pool.ts';
import { waitSharesOf } from './wait-shares.ts';

export type DatabaseOptions = {
  url: string;
  /** The service's own role: whoever logs in works with its rights alone. */
  role: string;
  applicationName: string;
  poolSize: number;
  /** How long one request may wait for the database, all in all; then it counts as unavailable. */
  waitMilliseconds: number;
  /** Whether connections keep the plans of frequent statements; not through a pooler that can't (see README). */
  keepsPlans?: boolean;
  /** Told when the database stops answering and when it answers again. */
  logger?: Logger;
  observer?: DatabaseObserver;
  // biome-ignore lint/suspicious/noExplicitAny: MikroORM's own type of a list of entities of any shape.
  entities: EntitySchema<any>[];
};

/** More than ever get a connection while they wait for it; so many waiters hold a few hundred kilobytes. */
const waitersPerConnection = 20;

/** Opens the pool lazily: the first statement connects. */
export async function connectOrm(options: DatabaseOptions): Promise<MikroORM> {
  const { poolSize, keepsPlans = true, logger, observer } = options;
  const shares = waitSharesOf(options.waitMilliseconds);
  const settings = {
    role: options.role,
    statement_timeout: shares.statement,
    lock_timeout: shares.lock,
    idle_in_transaction_session_timeout: 10_000,
    timezone: 'UTC',
  };
  const orm = new OrmWithPool({
    driver: BoundDriver,
    clientUrl: options.url,
    entities: options.entities,
    pool: { min: 0, max: poolSize },
    driverOptions: {
      application_name: options.applicationName,
      connectionTimeoutMillis: shares.connection,
      keepAlive: true,
      // What a lease holds back goes out with the statement after it.
      pipeline: true,
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
      onPoolCreated(pool: Pool) {
        orm.pool = pool;
        guardPool(pool, {
          shares,
          mostWaiting: waitersPerConnection * poolSize,
          keepsPlans,
          logger,
          observer,
        });
      },
    },
    // An id shared by every account's rows would let one request see another's unit of work.
    allowGlobalContext: false,
    // Looking whether the database exists, and making it, is for a migration.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    logger: () => undefined,
    verbose: false,
  });
  return orm;
}

class OrmWithPool extends MikroORM {
  pool?: Pool;

  /** The query builder ends the pool, but only if it has been asked something itself. */
  override async close(force?: boolean): Promise<void> {
    await super.close(force);
    if (this.pool?.ending === false) await this.pool.end();
  }
}
