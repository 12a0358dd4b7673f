import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeTasks } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const stack = await startStack(test);

const heavy = {
  description: '\u{1F600}'.repeat(100_000),
  checklist: Array.from({ length: 200 }, () => ({ title: '\u{1F4A1}'.repeat(1_024) })),
};

/** Asks for pages and takes next to nothing of the answers; the first may be all in the hands of the system. */
async function askAndStall({ token }: AccountClient): Promise<Socket> {
  const { hostname, port, pathname } = new URL(stack.apiRoot);
  const socket = connect({ host: hostname, port: Number(port) });
  const head = `GET ${pathname}/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token.secret}\r\n\r\n`;
  socket.write(head.repeat(3));
  await once(socket, 'readable');
  return socket;
}

test('whoever leaves large answers lying is refused more, and nobody else is', async (t) => {
  const reader = await stack.newClient();
  const bystander = await stack.newClient();
  await makeTasks(reader, 3, heavy);
  const stalled: Socket[] = [];
  const giveUp = (): void => {
    for (const socket of stalled) socket.destroy();
  };
  t.teardown(giveUp);

  const refused = await waitFor(async () => {
    stalled.push(await askAndStall(reader));
    const answer = await reader.get('/me');
    return answer.status === 200 ? false : answer;
  });
  t.is(refused.status, 503);
  t.is(refused.headers.get('Retry-After'), '1');
  t.true(stalled.length > 1, 'the first few are let be');
  t.is((await bystander.get('/me')).status, 200);

  giveUp();
  await waitFor(async () => (await reader.get('/me')).status === 200);
  const { body } = await reader.get<Page<Task>>('/tasks');
  t.true(body.items.length > 0);
});
