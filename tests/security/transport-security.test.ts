import test from 'ava';
import { missingIds, operations, send } from '#tests/api/matrix/request-fixtures.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { hostRequests } from './host-requests.ts';

/** What each answer of a service says of https, by what was asked. */
async function policies({ baseUrl, anonymous }: Stack): Promise<Map<string, string | null>> {
  const policies = new Map<string, string | null>();
  const keep = (what: string, headers: Headers) =>
    policies.set(what, headers.get('strict-transport-security'));
  for (const [method, path, headers = {}, body] of hostRequests) {
    const answer = await fetch(baseUrl + path, { method, headers, body, redirect: 'manual' });
    await answer.body?.cancel();
    keep(`${method} ${path} ${answer.status}`, answer.headers);
  }
  for (const operation of operations) {
    const answer = await send(anonymous, operation, missingIds());
    keep(`${operation.operationId} ${answer.status}`, answer.headers);
  }
  return policies;
}

test('on https every answer keeps browsers to https for a year (RFC 6797 §6.1)', async (t) => {
  const environment = { BASE_URL: 'https://tasks.example.com' };
  const stack = await startStack(t, { withAuthServer: true, environment });
  const lacking = [...(await policies(stack))].filter(([, policy]) => policy !== 'max-age=31536000');
  t.deepEqual(lacking, []);
});
