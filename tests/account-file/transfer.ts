import type { Stack } from '#tests/support/stack.ts';
import type { WebAppClient } from '../app/web-app-client.ts';

/** Lets the browser fetch the file, as auth-server does after a fresh sign-in. */
export async function permit({ sql }: Stack, { sessionId, account }: WebAppClient): Promise<void> {
  await sql`insert into auth.export_permit (session_id, account_id, profile, expires_at)
    values (${sessionId}, ${account.accountId}, '{"email":"ada@example.com"}', now() + interval '5 minutes')`;
}

export async function exportFrom(stack: Stack, client: WebAppClient): Promise<string> {
  await permit(stack, client);
  const response = await fetchExport(stack, client);
  if (response.status !== 200) throw new Error(`the export was refused: ${response.status}`);
  return response.text();
}

export function fetchExport({ baseUrl }: Stack, { accessToken }: WebAppClient): Promise<Response> {
  return fetch(`${baseUrl}/app/api/v1/export`, { headers: { Authorization: `Bearer ${accessToken}` } });
}

type Outcome = {
  phase: string;
  counts?: object;
  problem?: { errorCode: string; message: string; errors?: object };
};

/** As the page does: parts, then the run. */
export async function importInto(
  { baseUrl }: Stack,
  { app, accessToken }: WebAppClient,
  file: string | Buffer,
  { partBytes = 100_000, signal }: { partBytes?: number; signal?: AbortSignal } = {},
): Promise<Outcome> {
  const { status, body } = await app.post<{ id: string; message: string; errorCode: string }>('/imports');
  if (status !== 201) return { phase: 'refused', problem: body };
  const bytes = Buffer.from(file);
  for (let number = 0; number * partBytes < bytes.length; number += 1) {
    const content = bytes.subarray(number * partBytes, (number + 1) * partBytes).toString('base64');
    const sent = await app.post(`/imports/${body.id}/parts`, { number, content });
    if (sent.status !== 204) throw new Error(`part ${number}: ${sent.status}`);
  }
  const response = await fetch(`${baseUrl}/app/api/v1/imports/${body.id}/run`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${accessToken}` },
    ...(signal && { signal }),
  });
  return JSON.parse((await response.text()).trim().split('\n').at(-1) ?? '');
}
