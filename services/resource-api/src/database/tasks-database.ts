import type { Kysely } from 'kysely';
import type { QueryResult } from 'pg';
import { createOrm } from '#shared/database/connect-orm.ts';
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
  type Statement,
} from '#shared/database/database.ts';
import { type Area, AreaEntity } from '../areas/area-entity.ts';
import { type Project, ProjectEntity, type Section, SectionEntity } from '../projects/project-entity.ts';
import { type Task, TaskEntity } from '../tasks/task-entity.ts';

export const resourceApiRole = 'resource_api';

/** The tables of the feed, with the names of entities and properties. */
export type Tables = { Task: Task; Project: Project; Section: Section; Area: Area };

/** `tables` builds statements; a session runs them. */
export type TasksDatabase = Database & { tables: Kysely<Tables> };

export function openTasksDatabase(options: Omit<DatabaseOptions, 'role' | 'applicationName'>): TasksDatabase {
  const database = openDatabase({
    ...options,
    role: resourceApiRole,
    applicationName: 'resource-api',
    hasTextTimestamps: true,
  });
  const orm = createOrm(database, options.url, [AreaEntity, ProjectEntity, SectionEntity, TaskEntity]);
  const tables = orm.em
    .fork()
    .getKysely<Tables>({
      tableNamingStrategy: 'entity',
      columnNamingStrategy: 'property',
      convertValues: true,
    })
    .withSchema('tasks');
  return {
    ...database,
    tables,
    async close() {
      await orm.close(true);
      await database.close();
    },
  };
}

/** For reads that belong together: all of them see the same commits. */
export const openSnapshot = { text: 'set transaction isolation level repeatable read, read only' };

/** For one transaction, in which statements may take longer than a request's. */
export const statementsUpTo = (milliseconds: number): Statement => ({
  text: `select set_config('statement_timeout', $1, true)`,
  values: [String(milliseconds)],
});

/** Hundreds of rows of an import, or a sum over all rows of an account, beside the database's other work. */
export const longStatementMilliseconds = 30_000;

/** Runs a statement that may take as long, outside an account's write. */
export async function runLong<Row extends object>(
  database: Pick<TasksDatabase, 'transaction'>,
  statement: Statement,
): Promise<QueryResult<Row>> {
  const opening = statementsUpTo(longStatementMilliseconds);
  return database.transaction(opening, ({ query }) => query<Row>(statement), longStatementMilliseconds);
}
