import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql';

export type DatabaseOptions = {
  url: string;
  /** The service's own role: whoever logs in works with its rights alone. */
  role: string;
  applicationName: string;
  poolSize: number;
  /** How long a request may wait for a connection, and for a lock; then the database counts as unavailable. */
  waitMilliseconds: number;
  // biome-ignore lint/suspicious/noExplicitAny: MikroORM's own type of a list of entities of any shape.
  entities: EntitySchema<any>[];
};

/** Of a statement's own work; waiting for a lock comes on top. */
const statementTimeoutMilliseconds = 3_000;

/** Opens the pool lazily: the first statement connects. */
export async function connectOrm(options: DatabaseOptions): Promise<MikroORM> {
  const { waitMilliseconds } = options;
  const settings = {
    role: options.role,
    statement_timeout: statementTimeoutMilliseconds + waitMilliseconds,
    lock_timeout: waitMilliseconds,
    idle_in_transaction_session_timeout: 10_000,
    timezone: 'UTC',
  };
  return new MikroORM({
    clientUrl: options.url,
    entities: options.entities,
    pool: { min: 0, max: options.poolSize },
    driverOptions: {
      application_name: options.applicationName,
      connectionTimeoutMillis: waitMilliseconds,
      keepAlive: true,
      options: Object.entries(settings)
        .map(([name, value]) => `-c ${name}=${value}`)
        .join(' '),
    },
    // An id shared by every account's rows would let one request see another's unit of work.
    allowGlobalContext: false,
    discovery: { warnWhenNoEntities: false },
    logger: () => undefined,
    verbose: false,
  });
}
