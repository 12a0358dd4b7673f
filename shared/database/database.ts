import { Socket } from 'node:net';
import pg, { type Pool, type PoolClient, type QueryResult, type QueryResultRow } from 'pg';
import { codeOf } from '../errors/error-code.ts';
import type { Logger } from '../logging/logger.ts';
import { combineObservers, type DatabaseObserver } from './database-observer.ts';
import { DatabaseUnavailableError } from './database-unavailable.ts';

/**
 * A query of `pg`. With a `name` it is prepared once per connection: for texts whose best plan does not
 * depend on the values.
 */
export type Statement = { name?: string; text: string; values?: readonly unknown[] };

export type Queryable = {
  query<Row extends QueryResultRow>(statement: Statement): Promise<QueryResult<Row>>;
};

/**
 * A connection of the pool in use. It is closed, and its statements are rejected, when it is held for too
 * long.
 */
type Connection = Queryable & {
  /** Restarts the time for which it may be held. */
  renew(): void;
  /** Further calls have no effect. `isUsable` false: the connection is closed. */
  release(isUsable?: boolean): void;
};

export type Transaction = Queryable & {
  /** Sends a statement without waiting for its reply: a failure of it fails the commit. */
  send(statement: Statement): Promise<QueryResult>;
  renew(): void;
};

export type Database = Queryable & {
  timeouts: Timeouts;
  connect(limitMilliseconds?: number): Promise<Connection>;
  /**
   * Runs `work` in a transaction that begins with `opening`. `begin` and `opening` take one round trip
   * (pipelining), and so do the statements sent last and the commit: a commit after a failed statement is a
   * rollback.
   */
  transaction<Row extends QueryResultRow, Result>(
    opening: Statement,
    work: (transaction: Transaction, rows: Row[]) => Promise<Result>,
    limitMilliseconds?: number,
  ): Promise<Result>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  /** The service's own role, set on every connection: it limits the rights of statements. */
  role: string;
  applicationName: string;
  poolSize: number;
  /** How long one request may wait for the database in total; then it counts as unavailable. */
  waitMilliseconds: number;
  /** false behind a pooler without prepared statements (docs/operating.md). */
  hasPreparedStatements?: boolean;
  /** Timestamps are read as the API has them: a `Date` takes ten times as long; a page has over a hundred. */
  hasTextTimestamps?: boolean;
  logger?: Logger;
  observers?: readonly DatabaseObserver[];
};

/** All in milliseconds. */
type Timeouts = ReturnType<typeof timeoutsOf>;

/**
 * The shares of `waitMilliseconds`. The server's timeouts are shorter than the client's, so a client timeout
 * means an unresponsive server.
 */
function timeoutsOf(waitMilliseconds: number) {
  const share = (part: number): number => Math.ceil(part * waitMilliseconds);
  return {
    request: waitMilliseconds,
    connection: share(0.3),
    lock: share(0.4),
    statement: share(0.6),
    /** For all that is done on one connection. */
    work: share(0.7),
  };
}

/** Connects lazily: at the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const { logger, hasPreparedStatements = true } = options;
  const timeouts = timeoutsOf(options.waitMilliseconds);
  const observer = combineObservers(options.observers ?? []);
  let sockets = new Set<Socket>();
  let pool = createPool(options, sockets);
  let repliedAt = Number.NEGATIVE_INFINITY;
  observer.poolOpened(options.poolSize, () => ({
    open: pool.totalCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }));

  /** The other connections may be dead too; each would cost a request its whole time. */
  function replacePool(): void {
    logger?.warn('PostgreSQL is unresponsive: new connections replace those of the pool');
    void pool.end();
    // `end` would wait for the outstanding replies before it closes its connections.
    for (const socket of sockets) socket.destroy();
    sockets = new Set();
    pool = createPool(options, sockets);
  }

  async function acquireFrom(owner: Pool): Promise<PoolClient> {
    const wantedAt = performance.now();
    try {
      const client = await owner.connect();
      observer.connectionAwaited(performance.now() - wantedAt, 'acquired');
      return client;
    } catch (failure) {
      observer.connectionAwaited(performance.now() - wantedAt, 'unavailable');
      if (codeOf(failure) !== '') throw failure;
      throw new DatabaseUnavailableError('no connection to PostgreSQL was available', { cause: failure });
    }
  }

  async function connect(limitMilliseconds = timeouts.work): Promise<Connection> {
    const owner = pool;
    const client = await acquireFrom(owner);
    const acquiredAt = performance.now();
    const { promise: lost, reject } = Promise.withResolvers<never>();
    lost.catch(() => undefined);
    let isHeld = true;

    const release = (isUsable = true): void => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      client.off('end', close).off('error', close);
      client.release(!isUsable);
    };
    const close = (cause?: unknown): void => {
      reject(connectionLost(cause));
      release(false);
    };
    const expire = (): void => {
      if (!isHeld) return;
      reject(new DatabaseUnavailableError(`PostgreSQL did not respond in ${limitMilliseconds} ms`));
      release(false);
      if (repliedAt < acquiredAt && owner === pool && !pool.ending) replacePool();
    };
    // `setImmediate` runs after pending socket data was read: a delayed event loop is not a timeout of the
    // server.
    const timer = setTimeout(() => setImmediate(expire), limitMilliseconds);
    client.once('end', close).once('error', close);

    return {
      async query<Row extends QueryResultRow>({ name, text, values }: Statement) {
        if (!isHeld) throw connectionLost();
        const replied = observer.statementSent(text);
        try {
          const config = {
            text,
            values: values as unknown[],
            ...(name && hasPreparedStatements && { name }),
          };
          const result = await Promise.race([client.query<Row>(config), lost]);
          repliedAt = performance.now();
          replied();
          return result;
        } catch (failure) {
          replied(failure);
          throw isHeld && failure instanceof pg.DatabaseError ? failure : connectionLost(failure);
        }
      },
      renew: () => void timer.refresh(),
      release,
    };
  }

  return {
    timeouts,
    connect,
    async query(statement) {
      const connection = await connect();
      try {
        return await connection.query(statement);
      } finally {
        connection.release();
      }
    },
    transaction: async (opening, work, limitMilliseconds) =>
      runTransaction(await connect(limitMilliseconds), opening, work),
    close: async () => {
      if (!pool.ending) await pool.end();
    },
  };
}

const connectionLost = (cause?: unknown) =>
  new DatabaseUnavailableError('the connection to PostgreSQL was lost', { cause });

async function runTransaction<Row extends QueryResultRow, Result>(
  connection: Connection,
  opening: Statement,
  work: (transaction: Transaction, rows: Row[]) => Promise<Result>,
): Promise<Result> {
  const { query, renew } = connection;
  const sent: Promise<QueryResult>[] = [];
  const send: Transaction['send'] = (statement) => {
    const reply = query(statement);
    reply.catch(() => undefined);
    sent.push(reply);
    return reply;
  };
  try {
    send({ text: 'begin' });
    const { rows } = await query<Row>(opening);
    const result = await work({ query, send, renew }, rows);
    send({ text: 'commit' });
    await Promise.all(sent);
    connection.release();
    return result;
  } catch (error) {
    const isRolledBack = await query({ text: 'rollback' }).then(
      () => true,
      () => false,
    );
    connection.release(isRolledBack);
    const failed = (await Promise.allSettled(sent)).find(({ status }) => status === 'rejected');
    throw failed?.status === 'rejected' ? failed.reason : error;
  }
}

const { DATE, INT8, TIMESTAMPTZ } = pg.types.builtins;

/** All our numbers are safe integers. */
function typeParsersOf({ hasTextTimestamps }: Pick<DatabaseOptions, 'hasTextTimestamps'>) {
  const parsers = new Map<number, (text: string) => unknown>([
    [INT8, Number],
    [DATE, String],
    ...(hasTextTimestamps ? [[TIMESTAMPTZ, toIsoTimestamp] as const] : []),
  ]);
  const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') =>
    parsers.get(oid) ?? pg.types.getTypeParser(oid, format);
  return { getTypeParser };
}

/** PostgreSQL's text of a timestamptz(3) in UTC differs from ISO 8601 in separator, zeros and zone. */
function toIsoTimestamp(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

function createPool({ waitMilliseconds, ...options }: DatabaseOptions, sockets: Set<Socket>): Pool {
  const timeouts = timeoutsOf(waitMilliseconds);
  const settings = {
    role: options.role,
    statement_timeout: timeouts.statement,
    lock_timeout: timeouts.lock,
    idle_in_transaction_session_timeout: 10_000,
    timezone: 'UTC',
  };
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize,
    // Longer than the default of 10 seconds: a burst after a calm would wait for handshakes.
    idleTimeoutMillis: 300_000,
    application_name: options.applicationName,
    connectionTimeoutMillis: timeouts.connection,
    keepAlive: true,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once('close', () => sockets.delete(socket));
    },
    pipeline: true,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: typeParsersOf(options),
  });
  // A lost connection rejects its statements; without a listener the event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
