import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import {
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import type { Database } from './database.ts';

/** MikroORM over the connections of `database`, by the dialect that its `driverOptions` take. Closing it closes them. */
// biome-ignore lint/suspicious/noExplicitAny: MikroORM's own type of a list of entities of any shape.
export function createOrm(database: Database, url: string, entities: EntitySchema<any>[]): MikroORM {
  const pool: PostgresPool = {
    options: {},
    connect: () => connectForKysely(database),
    end: () => database.close(),
  };
  return new MikroORM({
    clientUrl: url,
    driverOptions: new PostgresDialect({ pool }),
    entities,
    // An id shared by every account's rows would let one request see another's unit of work.
    allowGlobalContext: false,
    // Only a migration creates a missing database.
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    logger: () => undefined,
    verbose: false,
  });
}

async function connectForKysely(database: Database): Promise<PostgresPoolClient> {
  const connection = await database.connect();
  function query<Row>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<Row>>;
  function query<Row>(cursor: PostgresCursor<Row>): PostgresCursor<Row>;
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    // A cursor is for `stream`, which nothing here uses.
    if (typeof text !== 'string') throw new TypeError('cursors are not supported');
    return connection.query({ text, values });
  }
  return { query, release: () => connection.release() };
}
