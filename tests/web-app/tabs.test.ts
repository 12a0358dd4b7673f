import test from 'ava';
import { waitFor } from '#tests/support/wait-for.ts';
import { createMemoryDisk } from '#web-app/store/disk.ts';
import { createSingleTab } from '#web-app/store/tabs.ts';
import { openStore } from './open-store.ts';
import { ScriptedService } from './scripted-service.ts';

test('what a killed tab stored is sent when another tab becomes visible', async (t) => {
  const service = new ScriptedService();
  const disk = createMemoryDisk();
  const store = await openStore(t, service, disk);
  await waitFor(() => store.connection.value === 'online');
  const killed = await openStore(t, service, disk, { ...createSingleTab(), lead: () => undefined });
  killed.commands.addTask({ title: 'Buy milk' });
  await killed.settled();
  killed.close();
  store.lookAgain();
  await waitFor(() => service.tasks.size === 1);
  t.is(store.views.inbox.value.length, 1);
});
