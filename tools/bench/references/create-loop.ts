import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { Pool, type PoolClient } from 'pg';

/*
 * The transaction of a new task straight to PostgreSQL: lock and stamp, the row, its feed entry, commit. No HTTP, no
 * token, no limits, and the notes are rendered already. Arguments: the database's URL, the accounts as JSON. Works
 * for so many milliseconds as a message says, over 10 connections, and answers with what it did.
 */
const [databaseUrl, accountList = '[]'] = process.argv.slice(2);
const accountIds: string[] = JSON.parse(accountList);
const connections = 10;
const pool = new Pool({ connectionString: databaseUrl, max: connections });

const notes = '# What is missing\n\n'.padEnd(
  1_024,
  'Some **bold** words, and a [link](https://example.com).\n',
);
const notesHtml = `<p>${notes}</p>`;
const open = {
  name: 'open',
  text: 'select last_sequence, changed_at from tasks.open_write($1)',
};
const insert = {
  name: 'insert',
  text: `insert into tasks.task (account_id, id, title, description, description_html, renderer_version, status, list,
    checklist, rank, is_trashed_with_project, created_at, updated_at)
    values ($1, $2, $3, $4, $5, 1, 'open', 'inbox', '[]', $6, false, $7, $7)
    returning *`,
};
const append = {
  name: 'append',
  text: `with appended as (
      insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
      values ($1, $2, 'task', $3, 'created', $4))
    update tasks.account_feed set last_sequence = $2 where account_id = $1`,
};

async function createTask(client: PoolClient, accountId: string): Promise<void> {
  const id = randomUUID();
  await client.query('begin');
  const { rows } = await client.query<{ last_sequence: string; changed_at: Date }>({
    ...open,
    values: [accountId],
  });
  const [feed] = rows;
  if (feed === undefined) throw new Error('the account is not on record');
  const sequence = Number(feed.last_sequence) + 1;
  await client.query({
    ...insert,
    values: [accountId, id, 'Order what is missing', notes, notesHtml, -sequence, feed.changed_at],
  });
  await client.query({ ...append, values: [accountId, sequence, id, feed.changed_at] });
  await client.query('commit');
}

/** Each connection has accounts of its own: none waits for another's lock. */
async function work(number: number, endsAt: number): Promise<number> {
  const own = accountIds.filter((_, index) => index % connections === number);
  const client = await pool.connect();
  let done = 0;
  try {
    while (performance.now() < endsAt) {
      await createTask(client, own[done % own.length] ?? '');
      done += 1;
    }
    return done;
  } finally {
    client.release();
  }
}

process.on('message', async (milliseconds: number) => {
  const startedAt = performance.now();
  const counts = await Promise.all(
    Array.from({ length: connections }, (_, number) => work(number, startedAt + milliseconds)),
  );
  const requests = counts.reduce((sum, count) => sum + count, 0);
  process.send?.({ requests, milliseconds: performance.now() - startedAt });
});
process.once('disconnect', () => process.exit(0));
