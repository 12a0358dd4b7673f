import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import type { AppSnapshot } from '#shared/app/app-protocol.ts';
import { seededRandom } from '#tests/app/random-change.ts';
import { startWebApps, type WebAppClient } from '#tests/app/web-app-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { OpenStore } from '#web-app/store/create-store.ts';
import { createMemoryDisk, type Disk } from '#web-app/store/disk.ts';
import type { OutboxRecord } from '#web-app/store/outbox-record.ts';
import type { TaskRow } from '#web-app/store/row-types.ts';
import { openDevice } from './open-device.ts';
import { actAtRandom } from './random-acts.ts';

const { stack, webApps } = await startWebApps(test, startStack(undefined));

const patience = { timeoutMilliseconds: 30_000 };
type Listed = Omit<TaskRow, 'description' | 'descriptionHtml' | 'checklist' | 'textsAt'>;

/** A device's disk that notes what was typed into tasks. What an undo takes back unsent counts no more. */
function openNotedDisk() {
  const disk = createMemoryDisk();
  const typed = new Set<string>();
  const noted: Disk & { typed: typeof typed; isUndoing: boolean } = {
    ...disk,
    typed,
    isUndoing: false,
    addRecords(records) {
      for (const text of records.flatMap(textsOf)) typed.add(text);
      return disk.addRecords(records);
    },
    async changeRecords(places, change) {
      const found = await disk.changeRecords(places, change);
      const isTakenBack = (record: OutboxRecord) => noted.isUndoing && record.sentAt === null;
      const gone = found.filter((record) => change(record) === null && isTakenBack(record));
      for (const text of gone.flatMap(textsOf)) typed.delete(text);
      return found;
    },
  };
  return noted;
}

function textsOf({ row, body }: Pick<OutboxRecord, 'row' | 'body'>): string[] {
  if (row.entity !== 'task') return [];
  const { title, description, checklist } = body ?? {};
  const items: unknown[] = Array.isArray(checklist) ? checklist.map((item) => item.title) : [];
  return [title, description, ...items].filter((text) => typeof text === 'string');
}

/** Neither stored nor asked about. */
async function lostTexts(disk: ReturnType<typeof openNotedDisk>, stored: string): Promise<string[]> {
  const askedAbout = new Set((await disk.records()).flatMap(textsOf));
  return [...disk.typed].filter((text) => !askedAbout.has(text) && !stored.includes(JSON.stringify(text)));
}

/** Texts of the account's tasks as they are, and as they were before each change. */
async function storedTexts({ account: { accountId } }: WebAppClient): Promise<string> {
  const rows = await stack.sql<{ text: string }>`
    select to_jsonb(task)::text as text from tasks.task where account_id = ${accountId}
    union all select before::text from tasks.change_history
      where account_id = ${accountId} and before is not null`;
  return rows.map(({ text }) => text).join();
}

/** Live tasks as both sides list them, without texts. */
function listed(tasks: Iterable<TaskRow>): Listed[] {
  return [...tasks]
    .filter(({ status, inTrash }) => status === 'open' && !inTrash)
    .map(({ description: _, descriptionHtml: _html, checklist: _items, textsAt: _at, ...task }) => task)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

const snapshotOf = async ({ app }: WebAppClient) =>
  listed((await app.get<AppSnapshot>('/snapshot')).body.tasks);

/** Nothing waits but for its user: notes that both sides changed, and later ones of the same task. */
const settle = async ({ store, disk }: { store: OpenStore; disk: Disk }) => {
  const isSettled = async () => {
    const records = (await disk.records()).filter(({ refused }) => refused === undefined);
    const held = new Set(records.filter(({ hold }) => hold !== null).map(({ row }) => row.id));
    return store.connection.value === 'online' && records.every(({ row }) => held.has(row.id));
  };
  await store.settled();
  await waitFor(isSettled, { ...patience, what: 'an outbox that waits for its user alone' });
};

const rounds = 25;

test('browsers that were offline end equal to the database, beside a script; no text is lost', async (t) => {
  const client = await webApps.open({ plan: 'premium' });
  const other = await webApps.open({ account: client.account });
  const devices = await Promise.all(
    [client, other].map(async (each) => {
      const disk = openNotedDisk();
      return { ...(await openDevice(t, stack.baseUrl, each, disk)), disk };
    }),
  );
  const random = seededRandom(Number(process.env.CONVERGENCE_SEED ?? 7));
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, device] of devices.entries()) {
      device.setOnline(random() < 0.5);
      for (let count = 0; count < 5; count += 1) {
        const kind = actAtRandom(device.store, random, `${round} ${place} ${count}`);
        device.disk.isUndoing = kind === 'undo';
        await device.store.settled();
        device.disk.isUndoing = false;
      }
    }
    await client.post('/tasks', { title: `script ${round}` });
  }
  for (const device of devices) device.setOnline(true);
  for (const device of devices) await settle(device);
  for (const { store } of devices) {
    const isSame = async () =>
      isDeepStrictEqual(listed(store.rows.tasks.shown.values()), await snapshotOf(client));
    await waitFor(isSame, patience).catch(() => undefined);
    t.deepEqual(listed(store.rows.tasks.shown.values()), await snapshotOf(client));
  }
  const stored = await storedTexts(client);
  for (const { disk } of devices) t.deepEqual(await lostTexts(disk, stored), []);
});
