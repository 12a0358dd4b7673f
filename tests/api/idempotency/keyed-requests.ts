import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import type { Page, Task } from '#tests/support/api-types.ts';
import type { AccountClient, Stack } from '#tests/support/stack.ts';

/** The client with a key on every request. */
export function keyed(client: ApiClient, key: string): ApiClient {
  return client.with({ 'Idempotency-Key': key });
}

export function isReplayed({ headers }: Pick<ApiResponse, 'headers'>): boolean {
  return headers.get('idempotency-replayed') === 'true';
}

type TextAnswer = { status: number; headers: Headers; text: string };

/** A POST whose answer is read as the bytes it is made of. */
export async function postForText(
  stack: Pick<Stack, 'apiRoot'>,
  { token }: AccountClient,
  path: string,
  key: string,
  body: string,
): Promise<TextAnswer> {
  const response = await fetch(stack.apiRoot + path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token.secret}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The titles of all tasks of the account, logged and trashed ones included, oldest first. */
export async function allTitles(client: ApiClient): Promise<string[]> {
  const { body } = await client.get<Page<Task>>('/tasks?view=all&limit=200');
  return body.items.map(({ title }) => title);
}

export async function keptAnswers(
  { sql }: Pick<Stack, 'sql'>,
  { account }: Pick<AccountClient, 'account'>,
): Promise<number> {
  const rows = await sql`select from tasks.kept_answer where account_id = ${account.accountId}`;
  return rows.length;
}
