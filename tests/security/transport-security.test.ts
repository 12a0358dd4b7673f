import test from 'ava';
import { ownerOfPath } from '#shared/http/path-ownership.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { documentedOperations, sendDocumented } from './documented-operations.ts';
import { hostRequests } from './host-requests.ts';

/** What each answer of a service says of https, by what was asked. */
async function policies({ baseUrl, apiRoot, anonymous }: Stack): Promise<Map<string, string | null>> {
  const policies = new Map<string, string | null>();
  const keep = (what: string, headers: Headers) =>
    policies.set(what, headers.get('strict-transport-security'));
  const ofServices = hostRequests.filter(([, path]) => ownerOfPath(path) !== undefined);
  for (const [method, path, headers = {}, body] of ofServices) {
    const answer = await fetch(baseUrl + path, { method, headers, body, redirect: 'manual' });
    await answer.body?.cancel();
    keep(`${method} ${path} ${answer.status}`, answer.headers);
  }
  const id = '01234567-89ab-4cde-8f01-23456789abcd';
  const ids = { tasks: id, projects: id, sections: id, areas: id };
  for (const operation of await documentedOperations(apiRoot)) {
    const answer = await sendDocumented(anonymous, operation, ids);
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

test('on http no answer speaks of https, which nobody might answer', async (t) => {
  const stack = await startStack(t, { withAuthServer: true });
  const speaking = [...(await policies(stack))].filter(([, policy]) => policy !== null);
  t.deepEqual(speaking, []);
});
