import { setImmediate as turnOfEventLoop } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { waitFor } from '#tests/support/wait-for.ts';
import { createMemoryDisk, type Disk } from '#web-app/store/disk.ts';
import { keepMine } from '#web-app/store/record-choices.ts';
import type { TaskRow } from '#web-app/store/row-types.ts';
import { createSingleTab, type TabMessage } from '#web-app/store/tabs.ts';
import { openStore } from './open-store.ts';
import { ScriptedService } from './scripted-service.ts';

async function open(t: ExecutionContext, service = new ScriptedService()) {
  const disk = createMemoryDisk();
  const store = await openStore(t, service, disk);
  await waitFor(() => store.connection.value === 'online');
  const sent = () => waitFor(() => store.waitingCount.value === 0, { timeoutMilliseconds: 15_000 });
  return { service, disk, store, sent, title: (id: string) => store.rows.tasks.row(id).value?.title };
}

test('a task is shown at once, sent, and keeps its key and its signal under the server’s id', async (t) => {
  const { service, store, sent, title } = await open(t);
  const temporary = store.commands.addTask({ title: 'Buy milk' });
  await store.settled();
  t.is(title(temporary), 'Buy milk');
  await sent();
  const [made] = service.tasks.values();
  t.deepEqual(store.views.inbox.value, [made?.id]);
  t.is(store.keyOf(made?.id ?? ''), temporary);
  t.is(store.rows.tasks.row(temporary).value?.id, made?.id);
});

test('a page that is closed while it reads what changed neither sends nor listens any more', async (t) => {
  const service = new ScriptedService();
  service.add({ title: 'Water' });
  const store = await openStore(t, {
    fetch(input, init) {
      if (String(input).endsWith('/snapshot')) store.close();
      return service.fetch(input, init);
    },
  });
  await waitFor(() => store.views.inbox.value.length === 1);
  t.is(store.connection.value, 'connecting');
});

test('a task stands where the server put it, also when the feed brings it before its response', async (t) => {
  const service = new ScriptedService();
  service.add({ title: 'Water' });
  const { store, sent } = await open(t, service);
  service.fault('POST', 'after');
  const id = store.commands.addTask({ title: 'Buy milk' });
  await store.settled();
  await sent();
  const made = [...service.tasks.values()].find(({ title }) => title === 'Buy milk');
  t.is(store.rows.tasks.row(id).value?.rank, made?.rank);
});

for (const fault of [
  { status: 503, retryAfter: 0 },
  { status: 429, retryAfter: 0 },
  { status: 500 },
  'before',
] as const) {
  test(`an addition survives ${typeof fault === 'string' ? 'a lost request' : fault.status}`, async (t) => {
    const { service, store, sent } = await open(t);
    service.fault('POST', fault);
    store.commands.addTask({ title: 'Buy milk' });
    await store.settled();
    await sent();
    t.deepEqual(
      [...service.tasks.values()].map(({ title }) => title),
      ['Buy milk'],
    );
    t.deepEqual(store.notices.refusals.value, []);
  });
}

test('what the service refuses is taken back, and its text is offered until its user decides', async (t) => {
  const { service, disk, store, sent } = await open(t);
  service.fault('POST', { status: 400, body: { errorCode: 'validation_error', message: 'No' } });
  const id = store.commands.addTask({ title: 'Buy milk' });
  store.commands.plan(id, '2026-12-01');
  await store.settled();
  await sent();
  t.is(store.rows.tasks.row(id).value, undefined);
  t.like(store.notices.refusals.value[0], { text: 'Buy milk', message: 'No' });
  store.close();

  const next = await openStore(t, service, disk);
  t.is(next.rows.tasks.row(id).value, undefined);
  const [first, second] = next.notices.refusals.value;
  t.is(first?.text, 'Buy milk');
  next.discardRefused(second?.id ?? 0);
  next.retryRefused(first?.id ?? 0);
  await waitFor(() => service.tasks.size === 1 && next.waitingCount.value === 0);
  t.deepEqual(next.notices.refusals.value, []);
  const [refusedKey, acceptedKey] = service.writes().map(({ key }) => key);
  t.not(acceptedKey, refusedKey);
  next.close();
  t.deepEqual((await openStore(t, service, disk)).notices.refusals.value, []);
});

test('rows stored in another format are read again, and what was not sent is kept', async (t) => {
  const service = new ScriptedService();
  const { id } = service.add({ title: 'Water' });
  const { disk, store } = await open(t, service);
  service.isOnline = false;
  store.commands.addTask({ title: 'Buy milk' });
  await store.settled();
  const position = await disk.position();
  const { reminderTime: _, ...withoutField } = store.rows.tasks.server.get(id) ?? {};
  store.close();
  service.isOnline = true;

  const load = async () => {
    const saved = await disk.load();
    const rows = { tasks: [withoutField as TaskRow], projects: [], sections: [], areas: [] };
    return saved && { state: { ...saved.state, position, rowFormat: 'another' }, rows };
  };
  const next = await openStore(t, service, { ...disk, load });
  await waitFor(() => service.tasks.size === 2 && next.waitingCount.value === 0);
  t.is(next.rows.tasks.row(id).value?.reminderTime, null);
});

test('a project beyond the plan waits with its tasks for its user, also over a reload', async (t) => {
  const { service, disk, store } = await open(t);
  service.fault('POST', { status: 403, body: { errorCode: 'project_limit_reached', message: 'Five' } });
  service.isOnline = false;
  const projectId = store.commands.addProject({ title: 'Garden' });
  store.commands.addTask({ title: 'Dig', projectId });
  await store.settled();
  service.isOnline = true;
  store.lookAgain(true);
  await waitFor(() => store.notices.planLimit.value !== null, { timeoutMilliseconds: 15_000 });
  const refused = { limit: 'projects', message: 'Five' };
  t.like(store.notices.planLimit.value, { record: { refused }, text: 'Garden' });
  t.deepEqual(store.notices.refusals.value, []);
  store.close();

  const next = await openStore(t, service, disk);
  t.is(next.notices.planLimit.value, null);
  t.is(next.waitingCount.value, 2);
  const [refusal] = next.notices.refusals.value;
  t.is(refusal?.text, 'Garden');
  next.discardRefused(refusal?.id ?? 0);
  await waitFor(() => next.waitingCount.value === 0);
  t.deepEqual(service.writes().length, 1);
});

test('an unsent command is taken back out of the outbox, with what builds on it', async (t) => {
  const { service, store } = await open(t);
  service.isOnline = false;
  const id = store.commands.addTask({ title: 'Buy milk' });
  await store.settled();
  // The first try is under way or lost: only what never left can be taken back.
  store.commands.plan(id, '2026-12-01');
  await store.settled();
  store.undo();
  await store.settled();
  t.is(store.rows.tasks.row(id).value?.dueDate, null);
  t.is(store.waitingCount.value, 1);
});

test('what was taken back is done again, until the next command', async (t) => {
  const service = new ScriptedService();
  const { id } = service.add({ title: 'Rent' });
  const { store } = await open(t, service);
  const shown = async () => {
    await store.settled();
    return [store.rows.tasks.row(id).value?.dueDate, store.views.inbox.value.length];
  };
  service.isOnline = false;
  store.commands.plan(id, '2026-12-01');
  store.commands.addTask({ title: 'Buy milk' });
  store.undo();
  store.undo();
  store.redo();
  t.deepEqual(await shown(), ['2026-12-01', 0]);
  store.redo();
  t.deepEqual(await shown(), ['2026-12-01', 1]);
  store.redo();
  t.deepEqual(await shown(), ['2026-12-01', 1]);
  store.undo();
  store.commands.patchTask(id, { title: 'Pay the rent' });
  store.redo();
  t.deepEqual(await shown(), ['2026-12-01', 0]);
});

test('what was sent in part and taken back is shown again as a whole when it is done again', async (t) => {
  const { service, store, sent } = await open(t);
  const answer = service.holdAnswers();
  store.commands.addTasks([{ title: 'Buy milk' }, { title: 'Buy bread' }]);
  await waitFor(() => service.writes().length === 1);
  store.undo();
  store.redo();
  await store.settled();
  t.is(store.views.inbox.value.length, 2);
  store.undo();
  answer();
  await sent();
  t.is(service.undone().length, 1);
});

test('an addition that is undone after a 503 and a 429 is undone by the service', async (t) => {
  const { service, store, sent } = await open(t);
  service.fault('POST', { status: 503, retryAfter: 0, isDone: true });
  service.fault('POST', { status: 429, retryAfter: 1 });
  store.commands.addTask({ title: 'Buy milk' });
  await store.settled();
  await waitFor(() => service.writes().length === 2);
  store.undo();
  await sent();
  t.deepEqual([service.undone().length, service.tasks.size], [1, 1]);
});

test('what is taken back while its answer arrives is undone by the service', async (t) => {
  const service = new ScriptedService();
  const task = service.add({ title: 'Rent' });
  const { promise: undoing, resolve: goOn } = Promise.withResolvers<void>();
  const disk = createMemoryDisk();
  let isUndoing = false;
  const store = await openStore(t, service, {
    ...disk,
    async changeRecords(...change) {
      const isUndo = isUndoing;
      isUndoing = false;
      if (isUndo) await undoing;
      return disk.changeRecords(...change);
    },
  });
  await waitFor(() => store.connection.value === 'online');
  const answer = service.holdAnswers();
  store.commands.patchTask(task.id, { title: 'Pay the rent' });
  await waitFor(() => service.writes().length === 1);
  isUndoing = true;
  store.undo();
  answer();
  await waitFor(() => store.waitingCount.value === 0);
  goOn();
  await waitFor(() => service.undone().length === 1);
  t.deepEqual(service.undone(), [service.writes()[0]?.command]);
});

test('what the feed brings before its answer, or without one, can be taken back', async (t) => {
  const service = new ScriptedService();
  const add = (title: string) => service.add({ title });
  const [first, second, third] = [add('Rent'), add('Bank'), add('Piano')];
  const { store, sent } = await open(t, service);
  const serverTitle = (id: string) => store.rows.tasks.server.get(id)?.title;
  const answer = service.holdAnswers();
  store.commands.patchTask(first.id, { title: 'Pay the rent' });
  await waitFor(() => serverTitle(first.id) === 'Pay the rent');
  answer();
  await sent();
  service.fault('PATCH', 'after');
  store.commands.patchTask(second.id, { title: 'Call the bank' });
  await store.settled();
  await sent();
  store.commands.trash(third.id);
  await store.settled();
  await sent();
  t.is(service.writes().length, 3);
  const commands = service.writes().map(({ command }) => command);
  for (let done = 1; done <= commands.length; done += 1) {
    store.undo();
    await waitFor(() => service.undone().length === done);
  }
  t.deepEqual(service.undone(), commands.toReversed());
});

test('what is taken back before its answer stays taken back when the page is closed at once', async (t) => {
  const service = new ScriptedService();
  const { id } = service.add({ title: 'Rent' });
  const { disk, store } = await open(t, service);
  const answer = service.holdAnswers();
  store.commands.complete(id);
  await waitFor(() => service.writes().length === 1);
  store.undo();
  await store.settled();
  t.is(store.rows.tasks.row(id).value?.status, 'open');
  store.close();
  answer();
  const next = await openStore(t, service, disk);
  await waitFor(() => next.waitingCount.value === 0 && next.rows.tasks.row(id).value?.status === 'open');
  t.deepEqual(service.undone(), [service.writes()[0]?.command]);
});

test('changes that two commands made of one task are sent apart, and go back apart', async (t) => {
  const service = new ScriptedService();
  const { id } = service.add({ title: 'Rent' });
  const { store, sent } = await open(t, service);
  service.isOnline = false;
  store.commands.patchTask(id, { title: 'Pay the rent' });
  store.commands.plan(id, '2026-12-01');
  await store.settled();
  service.isOnline = true;
  store.lookAgain(true);
  await sent();
  const [renamed, planned] = service.writes();
  t.deepEqual([renamed?.body, planned?.body], [{ title: 'Pay the rent' }, { dueDate: '2026-12-01' }]);
  store.undo();
  await waitFor(() => service.undone().length === 1);
  t.deepEqual(service.undone(), [planned?.command]);
});

for (const method of ['records', 'addRecords'] as const) {
  test(`writes while the outbox is read for another tab are shown once: slow ${method}`, async (t) => {
    const disk = createMemoryDisk();
    const { promise: slowness, resolve: goOn } = Promise.withResolvers<void>();
    let isSlow = false;
    const afterSlowness = async <Answer>(answer: Promise<Answer>) => {
      const given = await answer;
      if (isSlow) await slowness;
      return given;
    };
    const slowDisk = {
      ...disk,
      records: () => (method === 'records' ? afterSlowness(disk.records()) : disk.records()),
      addRecords: (...added: Parameters<Disk['addRecords']>) =>
        method === 'addRecords' ? afterSlowness(disk.addRecords(...added)) : disk.addRecords(...added),
    };
    let receive: (message: TabMessage) => void = () => undefined;
    const tabs = {
      ...createSingleTab(),
      onMessage: (listen: typeof receive) => {
        receive = listen;
      },
      lead: () => undefined,
    };
    const store = await openStore(t, new ScriptedService(), slowDisk, tabs);
    isSlow = true;
    if (method === 'records') receive({ kind: 'outbox', removed: [] });
    const id = store.commands.addTask({ title: 'Buy milk' });
    await turnOfEventLoop();
    if (method === 'addRecords') receive({ kind: 'outbox', removed: [] });
    await turnOfEventLoop();
    goOn();
    await turnOfEventLoop();
    await store.settled();
    t.is(store.rows.tasks.row(id).value?.title, 'Buy milk');
    t.is(store.waitingCount.value, 1);
  });
}

test('while notes are in conflict, other changes of the task are sent, later notes wait', async (t) => {
  const service = new ScriptedService();
  const task = service.add({ title: 'Rent', description: 'Before' });
  const { store, sent } = await open(t, service);
  await store.loadTexts([task.id]);
  const { updatedAt } = service.put({ ...task, description: 'Of theirs' });
  await waitFor(() => store.rows.tasks.server.get(task.id)?.updatedAt === updatedAt);
  store.commands.patchTask(task.id, { description: 'Of mine' }, { description: 'Before' });
  await waitFor(() => store.notices.notesConflicts.value.length === 1);
  store.commands.complete(task.id);
  store.commands.patchTask(task.id, { description: 'Of mine, too' });
  store.commands.patchTask(task.id, { title: 'Pay the rent' });
  await waitFor(() => service.tasks.get(task.id)?.title === 'Pay the rent');
  t.like(service.tasks.get(task.id), { status: 'completed', description: 'Of theirs' });
  t.is(store.waitingCount.value, 2);
  store.resolveNotes(task.id, keepMine);
  await sent();
  t.is(service.tasks.get(task.id)?.description, 'Of mine, too');
});

test('what is typed after a change whose answer was lost is sent without a question', async (t) => {
  const service = new ScriptedService();
  const task = service.add({ title: 'Rent', description: 'Before' });
  const { store, sent } = await open(t, service);
  await store.loadTexts([task.id]);
  service.fault('PATCH', 'after');
  store.commands.patchTask(task.id, { title: 'Pay', description: 'After' }, { description: 'Before' });
  await store.settled();
  await waitFor(() => service.tasks.get(task.id)?.title === 'Pay');
  store.commands.patchTask(task.id, { title: 'Pay the rent', description: 'After that' });
  await store.settled();
  await sent();
  t.like(service.tasks.get(task.id), { title: 'Pay the rent', description: 'After that' });
  t.deepEqual([store.notices.notesConflicts.value, store.notices.refusals.value], [[], []]);
});

for (const scope of ['list', 'day'] as const) {
  test(`tasks moved together within a ${scope} show in their order before they are sent`, async (t) => {
    const service = new ScriptedService();
    const dueDate = scope === 'day' ? new Date().toISOString().slice(0, 10) : null;
    const places = { list: 'someday', dueDate } as const;
    const add = (title: string, rank: number) => service.add({ ...places, title, rank }).id;
    const [a = '', , c = '', d = ''] = ['A', 'B', 'C', 'D'].map(add);
    const { store, title } = await open(t, service);
    const { someday, today } = store.views;
    const shown = () => (scope === 'day' ? today.value.today : someday.value).map(title).join('');
    service.isOnline = false;
    store.commands.positionTask([d, c], null, scope);
    await store.settled();
    t.is(shown(), 'DCAB');
    store.commands.positionTask([c, d], a, scope);
    await store.settled();
    t.is(shown(), 'ACDB');
    store.undo();
    await store.settled();
    t.is(store.notices.toasts.value.at(-1)?.text, 'Undone: move of 2 tasks');
  });
}
