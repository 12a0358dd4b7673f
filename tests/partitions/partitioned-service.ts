import { connectSql } from '#tests/support/connect-sql.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { recordStatements } from '../api/statements/record-statements.ts';
import { planReporting, recordPlans } from './executed-plans.ts';
import { partitionOf, partitionTables, readPartitionName } from './partitioned-tables.ts';
import { describeSchema } from './schema-description.ts';

/** A statement that was planned for partitions other than that of the account it was run for, and may have used them. */
export type Stray = { during: string; statement: string; planned: string[]; used: string[] };

export type PartitionedService = {
  stack: Stack;
  /** Those that are partitioned. */
  tables: string[];
  /** Schema `tasks` before and after its tables were partitioned. */
  schema: { ordinary: string[]; partitioned: string[] };
  /** Does `work` for this account, or for none, and remembers which partitions its statements are planned for. */
  watch<Result>(what: string, accountId: string | undefined, work: () => Promise<Result>): Promise<Result>;
  strays: readonly Stray[];
  /** Those of them that were read or written. */
  usedTables(): string[];
  /** Statements on schema `tasks` that were sent, and of which PostgreSQL has shown no plan. */
  unseenStatements(): string[];
  /** Names of the partitions in which PostgreSQL has counted something since the start. Closes the stack. */
  countedPartitions(): Promise<string[]>;
  close(): Promise<void>;
};

const statements = recordStatements();
const plans = recordPlans();

/** The services' real code over partitioned tables; PostgreSQL shows the plan of all that it runs for this process. */
export async function startPartitionedService(): Promise<PartitionedService> {
  await using starting = new AsyncDisposableStack();
  const database = await createFreshDatabase({ migrated: true });
  starting.defer(database.drop);
  const { tables, ...schema } = await prepareDatabase(database.url);
  // What made the tables is no statement of the services.
  statements.take();
  const stack = await startStack(undefined, { databaseUrl: database.url });
  starting.defer(stack.close);
  const parts = starting.move();

  const numbers = new Map<string, number>();
  const strays: Stray[] = [];
  const usedTables = new Set<string>();
  const seen = new Set<string>();
  const sent = new Set<string>();
  const judge = (what: string, own: number | undefined): void => {
    for (const text of statements.take()) sent.add(text);
    for (const { statement, planned, used } of plans.take()) {
      seen.add(statement);
      for (const name of used) usedTables.add(readPartitionName(name)?.table ?? name);
      const isForeign = (name: string): boolean => {
        const partition = readPartitionName(name);
        return partition !== undefined && partition.number !== own;
      };
      if (planned.some(isForeign))
        strays.push({
          during: what,
          statement,
          planned: planned.filter(isForeign),
          used: used.filter(isForeign),
        });
    }
  };

  return {
    stack,
    tables,
    schema,
    async watch(what, accountId, work) {
      if (accountId !== undefined && !numbers.has(accountId))
        numbers.set(accountId, await partitionOf(stack.sql, accountId));
      const own = numbers.get(accountId ?? '');
      judge('before', own);
      const result = await work();
      judge(what, own);
      return result;
    },
    strays,
    usedTables: () => tables.filter((table) => usedTables.has(table)),
    unseenStatements: () => [...sent].filter((text) => /\btasks"?\./.test(text) && !seen.has(text)),
    async countedPartitions() {
      await stack.close();
      judge('the end', undefined);
      return readCountedPartitions(database.url);
    },
    close: () => parts.disposeAsync(),
  };
}

async function prepareDatabase(url: string) {
  const database = connectSql(url);
  try {
    const ordinary = await describeSchema(database.sql);
    const tables = await partitionTables(database);
    const partitioned = await describeSchema(database.sql);
    for (const [name, value] of Object.entries(planReporting))
      await database.run(`alter database ${new URL(url).pathname.slice(1)} set ${name} = '${value}'`);
    // What making the tables has counted; only what is reported already is forgotten.
    await database.run('select pg_stat_force_next_flush()');
    await database.run('select pg_stat_reset()');
    return { tables, ordinary, partitioned };
  } finally {
    await database.close();
  }
}

async function readCountedPartitions(url: string): Promise<string[]> {
  const { sql, close } = connectSql(url);
  try {
    // A session reports what it has counted when it ends, at the latest.
    const haveEnded = async () => {
      const others = await sql`select from pg_stat_activity where datname = current_database()
        and backend_type = 'client backend' and pid <> pg_backend_pid()`;
      return others.length === 0;
    };
    await waitFor(haveEnded, { what: 'the end of the services’ connections' });
    const rows = await sql<{ name: string }>`select relname as name from pg_stat_user_tables
      where schemaname = 'tasks' and seq_scan + coalesce(idx_scan, 0) + n_tup_ins + n_tup_upd + n_tup_del > 0`;
    return rows.map(({ name }) => name).filter((name) => readPartitionName(name) !== undefined);
  } finally {
    await close();
  }
}
