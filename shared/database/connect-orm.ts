import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql';
import {
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely';
import type { Database } from './database.ts';

/**
 * MikroORM on the connections of `database`, by the dialect in its `driverOptions`. Closing it closes them.
 */
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
    // A shared identity map would expose entities of one request to another.
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
    // A cursor is for `stream`, which is not used.
    if (typeof text !== 'string') throw new TypeError('cursors are not supported');
    return connection.query({ text, values });
  }
  return { query, release: () => connection.release() };
}
