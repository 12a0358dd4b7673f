import { createServer, type ServerResponse } from 'node:http';
import process from 'node:process';
import { Pool, types } from 'pg';
import { type TaskRow, toWirePage, toWireTask } from './wire-task.ts';

/*
 * What somebody would write who needs no accounts, tokens, limits, validation, logs or metrics: `node:http` and `pg`,
 * rows to objects to JSON. Prepared statements, because that is one property. The account comes in a header.
 * Arguments: the port, the database's URL.
 */
const [port, databaseUrl] = process.argv.slice(2);
const dateType = 1082;
types.setTypeParser(dateType, (text) => text);
const pool = new Pool({ connectionString: databaseUrl, max: 10 });

const columns = `id, title, description, description_html as "descriptionHtml", status, list, project_id as "projectId",
  section_id as "sectionId", due_date as "dueDate", deadline_date as "deadlineDate", reminder_time as "reminderTime",
  recurrence, checklist, trashed_at as "trashedAt", completed_at as "completedAt", cancelled_at as "cancelledAt",
  created_at as "createdAt", updated_at as "updatedAt"`;
const statements = {
  page: `select ${columns} from tasks.task where account_id = $1 and trashed_at is null order by created_at, id limit $2`,
  changes: `select ${columns} from tasks.task where account_id = $1 and updated_at >= $2 order by updated_at, id limit $3`,
  task: `select ${columns} from tasks.task where account_id = $1 and id = $2`,
  identity: `select account.id as "accountId", token.id as "tokenId", token.name as "tokenName", token.scopes,
    account.timezone, account.plan
    from auth.api_token token join auth.account account on account.id = token.account_id where token.id = $1`,
};

async function query<Row extends object>(name: keyof typeof statements, values: unknown[]): Promise<Row[]> {
  return (await pool.query<Row>({ name, text: statements[name], values })).rows;
}

async function answer(url: URL, account: string, token: string): Promise<unknown> {
  const [, , , , resource, id] = url.pathname.split('/');
  if (resource === 'me') return (await query('identity', [token]))[0];
  if (id !== undefined) {
    const [row] = await query<TaskRow>('task', [account, id]);
    return row && toWireTask(row);
  }
  const size = Number(url.searchParams.get('limit') ?? 50);
  const since = url.searchParams.get('updatedSince');
  const rows = await (since === null
    ? query<TaskRow>('page', [account, size + 1])
    : query<TaskRow>('changes', [account, since, size + 1]));
  return toWirePage(rows, size);
}

function send(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
  });
  res.end(text);
}

const server = createServer((req, res) => {
  const { 'x-account': account, 'x-token': token } = req.headers;
  answer(new URL(req.url ?? '/', 'http://localhost'), String(account), String(token)).then(
    (body) => send(res, body === undefined ? 404 : 200, body ?? {}),
    (error: unknown) => send(res, 500, { message: String(error) }),
  );
});
server.listen(Number(port), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
