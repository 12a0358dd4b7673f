import { Client } from 'pg';

/** The services' tables that hold rows, as `schema.table`. */
export async function filledTables(databaseUrl: string): Promise<string[]> {
  return withClient(databaseUrl, async (client) => {
    const filled: string[] = [];
    for (const table of await tablesOf(client)) {
      const { rowCount } = await client.query(`select from ${table} limit 1`);
      if (rowCount === 1) filled.push(table);
    }
    return filled;
  });
}

/** Removes every row of the services' other tables. */
export async function emptyTables(databaseUrl: string, { except }: { except: string[] }): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const emptied = (await tablesOf(client)).filter((table) => !except.includes(table));
    await client.query(`truncate ${emptied.join(', ')} restart identity`);
  });
}

async function tablesOf(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname in ('auth', 'tasks') order by name`,
  );
  return rows.map(({ name }) => name);
}

async function withClient<Answer>(
  databaseUrl: string,
  work: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
