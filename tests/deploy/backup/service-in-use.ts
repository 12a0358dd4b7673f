import { randomUUID } from 'node:crypto';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import { makeArea, makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { type Stack, type StackOwner, startStack } from '#tests/support/stack.ts';
import type { TestToken } from '#tests/support/test-accounts.ts';

/** What callers keep while the service behind them is restored. */
type Callers = {
  accountId: string;
  token: TestToken;
  revokedToken: TestToken;
  /** A JWT, signed by the keys in the database. */
  accessToken: string;
  /** The idempotency key under which a task was made. */
  idempotencyKey: string;
};

/** Another Redis than the tests'. */
type Stores = { redisUrl?: string };

/** Both services over this database, under one public address wherever they run: it is part of every JWT. */
export function startServices(owner: StackOwner, databaseUrl: string, stores: Stores = {}): Promise<Stack> {
  const environment = { BASE_URL: 'https://tasks.example.com' };
  return startStack(owner, { ...stores, databaseUrl, withAuthServer: true, environment });
}

/** An account that has used what there is. */
export async function useService(stack: Stack): Promise<Callers> {
  const client = await stack.newClient({ plan: 'premium' });
  const { account, token } = client;
  const area = await makeArea(client);
  const project = await makeProject(client, { areaId: area.id, description: '**notes**' });
  const [done, trashed] = await makeTasks(client, 3, { projectId: project.id });
  await makeTask(client, { checklist: [{ title: 'one' }], dueDate: '2027-01-31' });
  await client.post(`/tasks/${done?.id}/complete`);
  await client.delete(`/tasks/${trashed?.id}`);
  const revokedToken = await stack.createToken(account);
  await stack.revokeToken(revokedToken);
  const idempotencyKey = randomUUID();
  await makeOnce(client, idempotencyKey);
  const exchanged = await stack.anonymous.post('/auth/token', { subjectToken: token.secret });
  return {
    accountId: account.accountId,
    token,
    revokedToken,
    accessToken: String(exchanged.body.accessToken),
    idempotencyKey,
  };
}

/** What callers are answered, and the account's feed as it is stored. */
export async function readAnswers(stack: Stack, callers: Callers): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [name, secret] of Object.entries({
    token: callers.token.secret,
    accessToken: callers.accessToken,
  })) {
    for (const path of ['/me', '/tasks?view=all', '/tasks?view=trash', '/projects', '/areas'])
      answers[`${path} with ${name}`] = answered(await stack.client(secret).get(path));
  }
  const revoked = await stack.client(callers.revokedToken).get('/me');
  answers['with the revoked token'] = [revoked.status, revoked.body.errorCode];
  answers['the request that was kept'] = await makeOnce(stack.client(callers.token), callers.idempotencyKey);
  answers.keys = answered(await stack.site.get('/oauth/jwks'));
  answers.feed =
    await stack.sql`select sequence::text, entity, entity_id, change, changed_at from tasks.feed_entry
    where account_id = ${callers.accountId} order by sequence`;
  return answers;
}

/** The same task, and its answer, however often it is sent. */
async function makeOnce(client: ApiClient, key: string): Promise<[number, unknown]> {
  return answered(
    await client.post('/tasks', { title: 'Sent again' }, { headers: { 'Idempotency-Key': key } }),
  );
}

function answered({ status, body }: ApiResponse): [number, unknown] {
  return [status, body];
}
