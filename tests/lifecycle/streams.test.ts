import test from 'ava';
import { createWebApps } from '#tests/app/web-app-client.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openDevice } from '#tests/web-app/open-device.ts';
import { launchService } from './service-process.ts';

const patience = { timeoutMilliseconds: 30_000 };

test('an app whose replica stops goes on at another, never offline, and misses nothing', async (t) => {
  const stack = await startStack(t, { own: true });
  const { baseUrl, databaseUrl, redisUrl } = stack;
  const client = await (await createWebApps(stack)).open();
  // A stream that was left open would be cut off by the end of this.
  const environment = { BASE_URL: baseUrl, REDIS_URL: redisUrl, SHUTDOWN_GRACE_MILLISECONDS: '600000' };
  const stopped = await launchService(t, { service: 'resource-api', databaseUrl, environment });
  await stopped.ready();

  let root = stopped.root;
  const streams: string[] = [];
  const { promise: hasLooked, resolve: noteLook } = Promise.withResolvers<void>();
  const afterLook = new TransformStream<Uint8Array, Uint8Array>({
    async transform(chunk, controller) {
      await hasLooked;
      controller.enqueue(chunk);
    },
  });
  const network: typeof fetch = async (url, init) => {
    if (!String(url).endsWith('/live')) return fetch(String(url).replace(baseUrl, root), init);
    if (root === baseUrl) await makeTask(client, { title: 'Before the new stream' });
    const response = await fetch(String(url).replace(baseUrl, root), init);
    streams.push(root);
    return root === baseUrl ? new Response(response.body?.pipeThrough(afterLook), response) : response;
  };
  const { store } = await openDevice(t, baseUrl, client, undefined, network);
  await waitFor(() => streams.length === 1, { ...patience, what: 'the stream' });
  const states = new Set<string>();
  t.teardown(store.connection.subscribe((state) => states.add(state)));

  stopped.child.kill('SIGTERM');
  await stopped.logged('stopping');
  root = baseUrl;
  await makeTask(client, { title: 'While it drains' });
  await waitFor(() => streams.length === 2, { ...patience, what: 'the stream of the other replica' });
  const titles = () => store.views.inbox.value.map((id) => store.rows.tasks.row(id).value?.title);
  const shows = (title: string) => waitFor(() => titles().includes(title), { ...patience, what: title });
  // No event has told of it.
  await shows('Before the new stream');
  noteLook();
  await makeTask(client, { title: 'Afterwards' });
  await shows('Afterwards');
  t.deepEqual(titles(), ['Afterwards', 'Before the new stream', 'While it drains']);
  t.deepEqual(streams, [stopped.root, baseUrl]);
  t.deepEqual([...states], ['online']);
  t.deepEqual(await stopped.ended, [0, null]);
});
