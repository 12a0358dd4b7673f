import { isDeepStrictEqual } from 'node:util';
import type { Compilable } from 'kysely';
import { rankStep } from '#shared/app/app-protocol.ts';
import type { Queryable, Statement } from '#shared/database/database.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';
import { todayIn } from '#shared/time/calendar-date.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Account, Principal } from './auth/principal.ts';
import { statementsUpTo, type Tables, type TasksDatabase } from './database/tasks-database.ts';
import { actorOf } from './history/actor.ts';
import { runWithinStorage } from './plans/storage-limit.ts';
import { createRanks, type Ranks } from './ranks.ts';
import { type OpenedWrite, startWrite } from './sync/account-feed.ts';
import type { AccountQueue } from './sync/account-queue.ts';

/** What every service function gets first: whose data, through which connection, at what time. */
export type Session = {
  /** The open transaction in a write, else the pool. */
  db: Queryable;
  account: Account;
  principal: Principal;
  now: Date;
  /** The account's civil date then. */
  today: CalendarDate;
};

/** A session inside the account's one open write transaction. */
export type WriteSession = Session &
  Ranks & {
    tables: TasksDatabase['tables'];
    /** The stamp of this transaction: its changed rows carry it, and no earlier one has a later stamp. */
    changedAt: string;
    /** Sends a change of rows; its failure fails the write. Named ones are prepared. Returns their number. */
    change(query: Compilable, name?: string): Promise<number>;
    /** Sends any other statement in the same way. */
    send(statement: Statement): void;
    /** Gives the transaction its time anew, for a change of very many rows. */
    renew(): void;
  };

export function openSession(db: Queryable, principal: Principal, clock: Clock): Session {
  const { account } = principal;
  const now = clock.now();
  return {
    db,
    account,
    principal,
    now,
    // Most requests do not need it, and a calendar costs as much as a statement.
    get today() {
      return todayIn(account.timezone, now);
    },
  };
}

/** Must not throw. */
export type WriteObserver = {
  /** How long a write waited for earlier ones of its account. */
  started(milliseconds: number): void;
  /** A transaction that changed so many rows was committed; `seq` is the feed's number then. */
  committed(changedRows: number, accountId: string, seq: number): void;
  /** A write was refused because its account is full. */
  refusedAsFull?(): void;
};

export type WriteStore = {
  database: TasksDatabase;
  accountQueue: AccountQueue;
  clock: Clock;
  observer?: WriteObserver;
  /** How much an account may store. Undefined: not limited, as for the operator. */
  storageLimitBytes?: number;
  /** How long a statement may take, instead of what a request has for all of its work. */
  statementMilliseconds?: number;
  /** Maintenance of what the account's owner wrote: a suspension does not stop it. */
  isUpkeep?: boolean;
  /** The transaction is an undo. */
  isUndo?: boolean;
};

/**
 * Runs `work` in a transaction that holds the account's lock from its first statement to its commit. Throws
 * account_suspended when the account was suspended meanwhile.
 */
export async function runWrite<Result>(
  {
    database,
    accountQueue,
    clock,
    observer,
    storageLimitBytes,
    statementMilliseconds,
    isUpkeep = false,
    isUndo = false,
  }: WriteStore,
  principal: Principal,
  work: (session: WriteSession) => Promise<Result>,
): Promise<Result> {
  const { id } = principal.account;
  const requestedAt = performance.now();
  let changedRows = 0;
  let seq = 0;
  const result = await accountQueue.run(id, () => {
    const waited = performance.now() - requestedAt;
    observer?.started(waited);
    const ofRequest = Math.min(database.timeouts.work, database.timeouts.request - waited);
    return database.transaction<OpenedWrite, Result>(
      startWrite(id, { ...actorOf(principal), isUndo }),
      async ({ query, send, renew }, [opened]) => {
        if (opened === undefined) throw new Error('the account is not on record');
        const { changedAt, lastRank, storedBytes, ...account } = opened;
        seq = lastRank / rankStep;
        if (statementMilliseconds) await query(statementsUpTo(statementMilliseconds));
        if (account.status === 'suspended' && !isUpkeep) throw new AppError('account_suspended');
        const change: WriteSession['change'] = (rows, name) => {
          const { sql: text, parameters: values } = rows.compile();
          const changed = send({ text, values, ...(name && { name }) }).then(({ rowCount }) => rowCount ?? 0);
          changed.then((count) => (changedRows += count)).catch(() => undefined);
          return changed;
        };
        const session = openSession({ query }, { ...principal, account: { id, ...account } }, clock);
        const writeSession = Object.assign(session, {
          tables: database.tables,
          changedAt,
          ...createRanks(lastRank),
          change,
          send: (statement: Statement) => void send(statement),
          renew,
        });
        const use = {
          accountId: id,
          storedBytes,
          limitBytes: storageLimitBytes,
          refused: observer?.refusedAsFull,
        };
        return await runWithinStorage(
          { query },
          use,
          () => work(writeSession),
          () => changedRows,
        );
      },
      statementMilliseconds ? statementMilliseconds * 1.1 : ofRequest,
    );
  });
  observer?.committed(changedRows, id, seq + changedRows);
  return result;
}

/** The row's names must be in the entity's order: a prepared statement needs a constant text. */
export function insertRow<Name extends keyof Tables>(
  { change, tables }: WriteSession,
  table: Name,
  row: Tables[Name],
): Tables[Name] {
  void change(tables.insertInto(table as keyof Tables).values(row as Tables['Task']), `insert-${table}`);
  return row;
}

/** For a change that was made on a version of the row; undefined: on any. Throws version_changed. */
export function requireVersion(row: { updatedAt: string }, known: string | undefined): void {
  if (known !== undefined && row.updatedAt !== known) throw new AppError('version_changed');
}

export function deleteRow({ account, change, tables }: WriteSession, table: keyof Tables, id: string): void {
  void change(tables.deleteFrom(table).where('accountId', '=', account.id).where('id', '=', id));
}

/**
 * Stores what of `changes` differs from `row`, with the transaction's timestamp; without differences nothing.
 * Returns the stored row.
 */
export function updateRow<Name extends keyof Tables>(
  { change, changedAt, tables }: WriteSession,
  table: Name,
  row: Tables[Name],
  changes: Partial<Tables[Name]>,
): Tables[Name] {
  const names = Object.keys(changes) as (keyof Tables[Name])[];
  const changed = names.filter((name) => !isDeepStrictEqual(changes[name], row[name]));
  if (changed.length === 0) return row;
  const stamped = {
    updatedAt: changedAt,
    ...Object.fromEntries(changed.map((name) => [name, changes[name]])),
  };
  const { accountId, id } = row;
  void change(
    tables
      .updateTable(table as keyof Tables)
      .set(stamped)
      .where('accountId', '=', accountId)
      .where('id', '=', id),
  );
  return { ...row, ...stamped };
}
