import pg from 'pg';

/**
 * Every statement that this process has sent since the last `take`, in order; but for the recording of the last use
 * of tokens, which happens beside the requests at a time of its own.
 */
export type StatementRecord = { take(): string[] };

/** Listens at the driver, below everything of ours: no statement can be sent past it. */
export function recordStatements(): StatementRecord {
  let statements: string[] = [];
  const send = pg.Client.prototype.query;
  pg.Client.prototype.query = new Proxy(send, {
    apply(query, client, [statement, ...rest]: unknown[]) {
      const text = textOf(statement);
      if (!/\btasks\.token_use\b/.test(text)) statements.push(text);
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
