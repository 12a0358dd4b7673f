import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import {
  addDays as addDaysOracle,
  daysBetween as daysBetweenOracle,
  todayIn as todayOracle,
} from '#shared/time/calendar-date.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { addDays, daysBetween, todayIn } from '#web-app/dates/civil-date.ts';
import { createMemoryDisk } from '#web-app/store/disk.ts';
import { mergeChecklists } from '#web-app/store/merge.ts';
import { reconcile } from '#web-app/store/reconcile.ts';
import { openStore } from './open-store.ts';
import { ScriptedService } from './scripted-service.ts';

const item = (id: string, title = id, completed = false) => ({ id, title, completed });

test('checklists merge by item: edits of both sides, additions of both, deletions unless edited', (t) => {
  const base = [item('a'), item('b'), item('c')];
  const mine = [item('a', 'A'), item('new'), item('c')];
  const theirs = [item('a', 'a', true), item('b'), item('their'), item('c')];
  t.deepEqual(mergeChecklists(base, mine, theirs), [
    item('a', 'A', true),
    item('new'),
    item('their'),
    item('c'),
  ]);
  t.deepEqual(mergeChecklists(base, [], [item('b', 'B')]), [item('b', 'B')]);
});

test('merging with a side that changed nothing gives the other side', (t) => {
  const checklist = fc.uniqueArray(
    fc.record({ id: fc.string({ minLength: 1, maxLength: 2 }), title: fc.string(), completed: fc.boolean() }),
    { selector: ({ id }) => id, maxLength: 8 },
  );
  fc.assert(
    fc.property(checklist, checklist, (base, changed) => {
      t.deepEqual(mergeChecklists(base, changed, base), changed);
      t.deepEqual(mergeChecklists(base, base, changed), changed);
    }),
  );
});

test('after an unknown outcome a field with our value counts as sent, another value is kept', (t) => {
  const server = { title: 'mine', dueDate: '2026-12-03' };
  const body = { title: 'mine', dueDate: '2026-12-01' };
  const base = { title: 'old', dueDate: null };
  t.deepEqual(reconcile(body, base, server, true), { body: {}, theirs: null, dropped: ['dueDate'] });
  t.deepEqual(reconcile(body, base, server, false).body, body);
});

test('a checklist item whose response was lost is added once, and keeps later edits', async (t) => {
  const service = new ScriptedService();
  const newItem = (title: string) => item(randomUUID(), title);
  const [pack, tent, map] = [newItem('Pack'), newItem('Tent'), newItem('Map')];
  const { id } = service.add({ title: 'Trip', checklist: [pack] });
  const store = await openStore(t, service);
  await store.loadTexts([id]);
  service.fault('PATCH', 'after');
  store.commands.patchTask(id, { checklist: [pack, tent, map] }, { checklist: [pack] });
  await store.settled();
  const stored = () => service.tasks.get(id)?.checklist ?? [];
  await waitFor(() => stored().length === 3);
  const task = service.tasks.get(id);
  // Another client ticks one of them before this one hears of it.
  if (task !== undefined)
    service.put({
      ...task,
      checklist: stored().map((each) => ({ ...each, completed: each.title === 'Map' })),
    });
  const typed = { ...tent, title: 'Large tent' };
  store.commands.patchTask(id, { checklist: [pack, typed, map] }, { checklist: [pack, tent, map] });
  await store.settled();
  await waitFor(() => store.waitingCount.value === 0);
  t.deepEqual(
    stored().map(({ title, completed }) => [title, completed]),
    [
      ['Pack', false],
      ['Large tent', false],
      ['Map', true],
    ],
  );
});

test('notes that change while those before are stored here are asked about', async (t) => {
  const service = new ScriptedService();
  const task = service.add({ title: 'Rent', description: 'Before' });
  const disk = createMemoryDisk();
  const { promise: slowness, resolve: goOn } = Promise.withResolvers<void>();
  let areStored = false;
  const store = await openStore(t, service, {
    ...disk,
    async save(state, after, saved) {
      await disk.save(state, after, saved);
      const isWithTexts = saved?.rows.tasks.some(({ textsAt }) => textsAt !== undefined);
      if (!isWithTexts || areStored) return;
      areStored = true;
      await slowness;
    },
  });
  await waitFor(() => store.connection.value === 'online');
  store.commands.patchTask(task.id, { description: 'Of mine' }, { description: 'Before' });
  await waitFor(() => areStored);
  const { updatedAt } = service.put({ ...task, description: 'Of theirs' });
  await waitFor(() => store.rows.tasks.server.get(task.id)?.updatedAt === updatedAt);
  goOn();
  await waitFor(() => store.notices.notesConflicts.value.length === 1 || store.waitingCount.value === 0);
  t.is(service.tasks.get(task.id)?.description, 'Of theirs');
});

test('civil dates agree with those of the service', (t) => {
  const date = fc.date({ min: new Date('1971-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu');
  fc.assert(
    fc.property(date, zone, fc.integer({ min: -4000, max: 4000 }), (now, timeZone, days) => {
      const today = todayIn(timeZone, now);
      t.is(today, todayOracle(timeZone, now));
      t.is(addDays(today, days), addDaysOracle(today, days));
      t.is(daysBetween(today, addDays(today, days)), daysBetweenOracle(today, addDaysOracle(today, days)));
    }),
  );
});

const recurrence: AppRecurrence = {
  frequency: 'daily',
  interval: 3,
  weekdays: [],
  fromCompletion: false,
};

test('what a lost connection has kept back is sent as soon as there is one again', async (t) => {
  const service = new ScriptedService();
  const tasks = ['Water', 'Weed', 'Mow', 'Rake'].map((title) => service.add({ title }));
  // The clock does not advance, so a wait by the clock never ends.
  const now = () => new Date('2026-11-27T12:00:00Z');
  const store = await openStore(t, service, createMemoryDisk(), undefined, now);
  await waitFor(() => store.connection.value === 'online');
  service.isOnline = false;
  for (const { id, title } of tasks) store.commands.patchTask(id, { title: `${title} the garden` });
  await waitFor(() => store.connection.value === 'offline');
  service.isOnline = true;
  store.lookAgain(true);
  await waitFor(() => store.waitingCount.value === 0);
  t.is(service.writes().length, tasks.length);
});

async function openWithSeries(t: ExecutionContext) {
  const service = new ScriptedService();
  const task = service.add({ title: 'Water plants', list: 'someday', dueDate: '2026-11-26', recurrence });
  const store = await openStore(t, service);
  await waitFor(() => store.connection.value === 'online');
  const setOnline = async (isOnline: boolean) => {
    service.isOnline = isOnline;
    store.lookAgain(true);
    await waitFor(() => (store.connection.value === 'online') === isOnline);
  };
  const sent = () => waitFor(() => store.waitingCount.value === 0, { timeoutMilliseconds: 15_000 });
  const dueDate = () => service.tasks.get(task.id)?.dueDate;
  return { service, store, task, setOnline, sent, dueDate };
}

for (const act of ['complete', 'skip'] as const) {
  test(`an occurrence moved elsewhere meanwhile is reported, and the series stays: ${act}`, async (t) => {
    const { service, store, task, setOnline, sent, dueDate } = await openWithSeries(t);
    await setOnline(false);
    store.commands[act](task.id);
    await store.settled();
    service.put({ ...task, dueDate: '2026-11-29' });
    await setOnline(true);
    await sent();
    t.is(dueDate(), '2026-11-29');
    t.is(store.rows.tasks.row(task.id).value?.status, 'open');
    const [refusal] = store.notices.refusals.value;
    t.is(refusal?.record.title, 'Water plants');
    t.regex(refusal?.message ?? '', /skipped or moved to another day/);
    store.undo();
    await store.settled();
    await sent();
    t.deepEqual(service.undone(), []);
  });
}

test('a completed task counts once in its project, also before the service counts it', async (t) => {
  const service = new ScriptedService();
  const projectId = crypto.randomUUID();
  const { id } = service.add({ title: 'Water', projectId });
  const changes = Promise.withResolvers<void>();
  const store = await openStore(t, {
    async fetch(input, init) {
      if (String(input).includes('/changes')) await changes.promise;
      return service.fetch(input, init);
    },
  });
  await waitFor(() => store.views.progress(projectId).value.open === 1);
  const counts: number[] = [];
  store.views.progress(projectId).subscribe(({ closed }) => counts.push(closed));
  store.commands.complete(id);
  await store.settled();
  await waitFor(() => store.waitingCount.value === 0);
  t.deepEqual(counts, [0, 1]);
  changes.resolve();
});

test('an occurrence that was completed elsewhere meanwhile, too, needs no word', async (t) => {
  const { service, store, task, setOnline, sent } = await openWithSeries(t);
  await setOnline(false);
  store.commands.complete(task.id);
  await store.settled();
  service.add({
    ...task,
    id: 'logged',
    recurrence: null,
    status: 'completed',
    completedAt: '2026-11-26T09:00:00.000Z',
  });
  service.put({ ...task, dueDate: '2026-11-29' });
  await setOnline(true);
  await sent();
  t.is(store.rows.tasks.row(task.id).value?.dueDate, '2026-11-29');
  t.deepEqual(store.notices.refusals.value, []);
});

test('an occurrence whose day was changed here before it was completed is completed', async (t) => {
  const { store, task, setOnline, sent, dueDate } = await openWithSeries(t);
  await setOnline(false);
  store.commands.plan(task.id, '2026-11-27');
  store.commands.complete(task.id);
  await store.settled();
  await setOnline(true);
  await sent();
  t.is(dueDate(), '2026-12-01');
});

test('a completion whose answer was lost is sent again, and can be taken back', async (t) => {
  const { service, store, task, sent } = await openWithSeries(t);
  service.fault('POST', 'after');
  store.commands.complete(task.id);
  await store.settled();
  await sent();
  const [first, second] = service.writes();
  t.is(second?.key, first?.key);
  store.undo();
  await waitFor(() => service.undone().length === 1);
});
