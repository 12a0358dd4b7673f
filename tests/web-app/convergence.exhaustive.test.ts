import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import type { AppSnapshot } from '#shared/app/app-protocol.ts';
import { seededRandom } from '#tests/app/random-change.ts';
import { createWebApps, type WebAppClient } from '#tests/app/web-app-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import type { OpenStore } from '#web-app/store/create-store.ts';
import type { TaskRow } from '#web-app/store/row-types.ts';
import { openDevice } from './open-device.ts';
import { actAtRandom } from './random-acts.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const webApps = await createWebApps(stack);

test.after.always(stack.close);

const patience = { timeoutMilliseconds: 30_000 };
type Listed = Omit<TaskRow, 'description' | 'descriptionHtml' | 'checklist' | 'textsAt'>;

/** Live tasks as both sides list them, without texts. */
function listed(tasks: Iterable<TaskRow>): Listed[] {
  return [...tasks]
    .filter(({ status, inTrash }) => status === 'open' && !inTrash)
    .map(({ description: _, descriptionHtml: _html, checklist: _items, textsAt: _at, ...task }) => task)
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

const snapshotOf = async ({ app }: WebAppClient) =>
  listed((await app.get<AppSnapshot>('/snapshot')).body.tasks);

const settle = async (store: OpenStore) => {
  await store.settled();
  await waitFor(() => store.connection.value === 'online' && store.waitingCount.value === 0, {
    ...patience,
    what: `an empty outbox, not ${store.connection.value}, ${store.waitingCount.value}`,
  });
};

const rounds = process.env.TEST_SCOPE === 'fast' ? 6 : 25;

test('browsers that were offline in turn, and an API script, end with what the database holds', async (t) => {
  const client = await webApps.open({ plan: 'premium' });
  const other = await webApps.open({ account: client.account });
  const devices = [await openDevice(t, stack.baseUrl, client), await openDevice(t, stack.baseUrl, other)];
  const random = seededRandom(7);
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, device] of devices.entries()) {
      device.setOnline(random() < 0.5);
      for (let count = 0; count < 5; count += 1) {
        actAtRandom(device.store, random, `${round} ${place} ${count}`);
        await device.store.settled();
      }
    }
    await client.post('/tasks', { title: `script ${round}` });
  }
  for (const device of devices) device.setOnline(true);
  for (const device of devices) await settle(device.store);
  for (const { store } of devices) {
    const isSame = async () =>
      isDeepStrictEqual(listed(store.rows.tasks.shown.values()), await snapshotOf(client));
    await waitFor(isSame, patience).catch(() => undefined);
    t.deepEqual(listed(store.rows.tasks.shown.values()), await snapshotOf(client));
  }
});
