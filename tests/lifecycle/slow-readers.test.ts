import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import test from 'ava';
import { callMessage, messageHeaders, ping, postMessage } from '#tests/assistant/raw-message.ts';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const stack = await startStack(test, { own: true });

const heavy = {
  description: '\u{1F600}'.repeat(100_000),
  checklist: Array.from({ length: 200 }, () => ({ title: '\u{1F4A1}'.repeat(1_024) })),
};

const pages = (secret: string) =>
  `GET /api/public/v1/tasks HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n\r\n`.repeat(3);

/** A batch of the assistant's calls, of which each shows the task. */
function calls(secret: string, taskId: string): string {
  const body = JSON.stringify(Array.from({ length: 10 }, () => callMessage('get_task', { id: taskId })));
  const headers = {
    ...messageHeaders,
    host: 'a',
    authorization: `Bearer ${secret}`,
    'content-length': body.length,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}

/** Sends requests and takes next to nothing of the answers; the first may be all in the hands of the system. */
async function askAndStall(requests: string): Promise<Socket> {
  const { hostname, port } = new URL(stack.apiRoot);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(requests);
  await once(socket, 'readable');
  return socket;
}

const asking = { pages, 'answers of the assistant': calls };

for (const [what, requests] of Object.entries(asking)) {
  test(`whoever leaves large ${what} lying is refused more, and nobody else is`, async (t) => {
    const reader = await stack.newClient();
    const bystander = await stack.newClient();
    const [task] = await makeTasks(reader, 3, heavy);
    const stalled: Socket[] = [];
    const giveUp = (): void => {
      for (const socket of stalled) socket.destroy();
    };
    t.teardown(giveUp);

    const refused = await waitFor(async () => {
      stalled.push(await askAndStall(requests(reader.token.secret, task?.id ?? '')));
      const answer = await reader.get('/me');
      return answer.status === 200 ? false : answer;
    });
    t.is(refused.status, 503);
    t.is(refused.headers.get('Retry-After'), '1');
    t.is((await postMessage(stack.baseUrl, reader.token.secret, ping)).status, 503);
    t.true(stalled.length > 1, 'the first few are let be');
    t.is((await bystander.get('/me')).status, 200);

    giveUp();
    await waitFor(async () => (await reader.get('/me')).status === 200);
    const { body } = await reader.get<Page<Task>>('/tasks');
    t.true(body.items.length > 0);
  });
}
