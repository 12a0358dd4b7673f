import test, { type ExecutionContext } from 'ava';
import { startWebApps } from '#tests/app/web-app-client.ts';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createMemoryDisk } from '#web-app/store/disk.ts';
import { openDevice } from './open-device.ts';
import { openStore } from './open-store.ts';
import { ScriptedService } from './scripted-service.ts';

const { stack, webApps } = await startWebApps(test, startStack(undefined));

const patience = { timeoutMilliseconds: 20_000 };

/** A device on the service that loses the answer to the first write to such a path, which was done. */
async function openLossy(t: ExecutionContext, lost: RegExp, disk = createMemoryDisk()) {
  const client = await webApps.open();
  const script = stack.client(await stack.createToken(client.account));
  let isLost = false;
  const network: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init);
    if (isLost || init?.method === 'GET' || !lost.test(String(input))) return answer;
    isLost = true;
    throw new TypeError('Failed to fetch');
  };
  const { store } = await openDevice(t, stack.baseUrl, client, disk, network);
  await waitFor(() => store.connection.value === 'online', patience);
  const sent = async () => {
    await store.settled();
    await waitFor(() => store.waitingCount.value === 0, patience);
  };
  const said = () => store.notices.toasts.value[0]?.text;
  return { client, script, store, sent, said, isLost: () => isLost };
}

for (const weekdays of [[], ['monday', 'thursday']]) {
  test(`a repeat whose response is lost is set, and can be undone: ${weekdays.length} days`, async (t) => {
    const { script, store, sent, isLost } = await openLossy(t, /tasks/);
    const task = await makeTask(script, { title: 'Water', dueDate: '2026-12-01' });
    const server = () => store.rows.tasks.server.get(task.id);
    await waitFor(server, patience);
    store.commands.patchTask(task.id, {
      recurrence: { interval: 1, weekdays, fromCompletion: false, frequency: 'weekly' },
    });
    await sent();
    t.true(isLost());
    t.deepEqual(store.notices.refusals.value, []);
    store.undo();
    await waitFor(() => server()?.recurrence === null, patience);
    t.pass();
  });
}

test('an undo whose answer was lost is not called in vain', async (t) => {
  const { script, store, sent, said, isLost } = await openLossy(t, /undo/);
  const task = await makeTask(script, { title: 'Water' });
  const server = () => store.rows.tasks.server.get(task.id);
  await waitFor(server, patience);
  store.commands.plan(task.id, '2099-12-01');
  await sent();
  store.undo();
  await sent();
  t.true(isLost());
  t.is(server()?.dueDate, null);
  t.is(said(), 'Undone: Planned “Water” for 1 Dec 2099');
});

test('a task with a checklist is added once if the page ends after its answer', async (t) => {
  const disk = createMemoryDisk();
  let isRenamed = false;
  const ending = {
    ...disk,
    async addRenames(...renames: Parameters<typeof disk.addRenames>) {
      await disk.addRenames(...renames);
      isRenamed = true;
    },
    changeRecords: (...change: Parameters<typeof disk.changeRecords>) =>
      isRenamed ? new Promise<never>(() => undefined) : disk.changeRecords(...change),
  };
  const { client, script, store } = await openLossy(t, /nothing/, ending);
  store.commands.addTask({ title: 'Trip', checklist: [{ title: 'Pack' }] });
  await waitFor(() => isRenamed, patience);
  store.close();
  const { store: next } = await openDevice(t, stack.baseUrl, client, disk);
  await waitFor(() => next.connection.value === 'online' && next.waitingCount.value === 0, patience);
  t.deepEqual(next.notices.refusals.value, []);
  const { items } = (await script.get<Page<Task>>('/tasks')).body;
  t.deepEqual(
    items.map(({ title }) => title),
    ['Trip'],
  );
});

test('a project whose deletion is sent twice before the feed has it comes back with an undo', async (t) => {
  const client = await webApps.open();
  const script = stack.client(await stack.createToken(client.account));
  const { id } = await makeProject(script, { title: 'Garden' });
  const twice = Promise.withResolvers<void>();
  const statuses: number[] = [];
  let isAsked = false;
  const network: typeof fetch = async (input, init) => {
    isAsked ||= init?.method === 'DELETE';
    const answer = await fetch(input, init);
    // The feed may tell of it before the response to it arrives.
    if (isAsked && String(input).includes('/changes')) await twice.promise;
    if (init?.method !== 'DELETE') return answer;
    statuses.push(answer.status);
    if (statuses.length === 2) twice.resolve();
    return statuses.length > 1
      ? answer
      : new Response(null, { status: 503, headers: { 'Retry-After': '0' } });
  };
  const { store } = await openDevice(t, stack.baseUrl, client, undefined, network);
  await waitFor(() => store.rows.projects.server.has(id), patience);
  store.commands.trashProject(id);
  await store.settled();
  await waitFor(() => store.waitingCount.value === 0, patience);
  t.deepEqual(statuses, [204, 404]);
  store.undo();
  await waitFor(() => store.rows.projects.server.get(id)?.inTrash === false, patience);
  t.deepEqual(store.notices.refusals.value, []);
});

test('a page of a proxy is no answer to a write', async (t) => {
  const service = new ScriptedService();
  let isCaught = false;
  const store = await openStore(t, {
    async fetch(input, init) {
      if (!String(input).startsWith('/api/') || isCaught) return service.fetch(input, init);
      isCaught = true;
      return new Response('<h1>Sign in</h1>', { headers: { 'Content-Type': 'text/html' } });
    },
  });
  await waitFor(() => store.connection.value === 'online');
  store.commands.addTask({ title: 'Buy milk' });
  await store.settled();
  await waitFor(() => store.waitingCount.value === 0);
  t.is(service.tasks.size, 1);
});

test('what was done stays shown if the connection is lost before the feed tells of it', async (t) => {
  const service = new ScriptedService();
  const { id } = service.add({ title: 'Rent' });
  const store = await openStore(t, {
    async fetch(input, init) {
      const answer = await service.fetch(input, init);
      if (init?.method === 'DELETE') service.isOnline = false;
      return answer;
    },
  });
  await waitFor(() => store.connection.value === 'online');
  store.commands.trash(id);
  await waitFor(() => store.connection.value === 'offline');
  t.true(store.rows.tasks.row(id).value?.inTrash);
  service.isOnline = true;
  store.lookAgain(true);
  await waitFor(() => store.waitingCount.value === 0);
  t.true(store.rows.tasks.row(id).value?.inTrash);
  t.is(service.writes().length, 1);
  store.undo();
  await waitFor(() => service.undone().length === 1);
});
