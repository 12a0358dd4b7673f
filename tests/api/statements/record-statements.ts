import pg from 'pg';

/** Every statement that this process has sent since the last `take`, in order. */
export type StatementRecord = { take(): string[] };

/** Listens at the driver, below everything of ours: no statement can be sent past it. */
export function recordStatements(): StatementRecord {
  let statements: string[] = [];
  const send = pg.Client.prototype.query;
  pg.Client.prototype.query = new Proxy(send, {
    apply(query, client, [statement, ...rest]: unknown[]) {
      statements.push(textOf(statement));
      return Reflect.apply(query, client, [statement, ...rest]);
    },
  });
  return {
    take() {
      const taken = statements;
      statements = [];
      return taken;
    },
  };
}

function textOf(statement: unknown): string {
  if (typeof statement === 'string') return statement;
  return typeof statement === 'object' && statement !== null && 'text' in statement
    ? String(statement.text)
    : '';
}
