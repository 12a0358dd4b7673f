import { type EntitySchema, MikroORM } from '@mikro-orm/postgresql';

export type DatabaseOptions = {
  url: string;
  /** The service's own role: whoever logs in works with its rights alone. */
  role: string;
  applicationName: string;
  poolSize: number;
  // biome-ignore lint/suspicious/noExplicitAny: MikroORM's own type of a list of entities of any shape.
  entities: EntitySchema<any>[];
};

const statementTimeoutMilliseconds = 5_000;
const lockTimeoutMilliseconds = 2_000;
const acquireTimeoutMilliseconds = 2_000;

/** Opens the pool lazily: the first statement connects. */
export async function connectOrm(options: DatabaseOptions): Promise<MikroORM> {
  const settings = {
    role: options.role,
    statement_timeout: statementTimeoutMilliseconds,
    lock_timeout: lockTimeoutMilliseconds,
    idle_in_transaction_session_timeout: 10_000,
    timezone: 'UTC',
  };
  return new MikroORM({
    clientUrl: options.url,
    entities: options.entities,
    pool: { min: 0, max: options.poolSize },
    driverOptions: {
      application_name: options.applicationName,
      connectionTimeoutMillis: acquireTimeoutMilliseconds,
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
