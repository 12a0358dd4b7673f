import { Pool, types } from 'pg';

/** Runs one statement: values become parameters. bigint, dates and timestamps are returned as strings. */
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

const { DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL } = types.builtins;
const asText: readonly number[] = [DATE, TIMESTAMP, TIMESTAMPTZ, INTERVAL];

/** Opens at the first statement. */
export function connectSql(url: string): SqlConnection {
  const pool = new Pool({
    connectionString: url,
    max: 4,
    types: {
      getTypeParser: (type, format) => (asText.includes(type) ? String : types.getTypeParser(type, format)),
    },
  });
  // An idle connection may end with its server or its database.
  pool.on('error', () => undefined);
  return {
    async sql(parts, ...values) {
      const statement = parts.reduce((text, part, index) => `${text}$${index}${part}`);
      return (await pool.query(statement, [...values])).rows;
    },
    async run(statement) {
      await pool.query(statement);
    },
    close: () => pool.end(),
  };
}
