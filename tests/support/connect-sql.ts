import { MikroORM } from '@mikro-orm/postgresql';

/**
 * Runs one statement: values become parameters, a literal `?` is written `\\?`. bigint and timestamps are answered
 * as strings.
 */
export type Sql = <Row = Record<string, unknown>>(
  statement: TemplateStringsArray,
  ...values: readonly unknown[]
) => Promise<Row[]>;

export type SqlConnection = {
  sql: Sql;
  /** A statement that takes no parameters, such as `create database`. */
  run(statement: string): Promise<void>;
  close(): Promise<void>;
};

/** Opens at the first statement. */
export function connectSql(url: string): SqlConnection {
  const orm = new MikroORM({
    clientUrl: url,
    entities: [],
    discovery: { warnWhenNoEntities: false },
    pool: { min: 0, max: 4 },
    logger: () => undefined,
  });
  return {
    sql: (statement, ...values) => orm.em.fork().execute(statement.join('?'), [...values]),
    async run(statement) {
      await orm.em.fork().execute(statement);
    },
    close: () => orm.close(true),
  };
}
