import test from 'ava';
import { waitFor } from '#tests/support/wait-for.ts';
import { openStore } from './open-store.ts';
import { ScriptedService } from './scripted-service.ts';

test('what was refused and sent again can be taken back', async (t) => {
  const service = new ScriptedService();
  const { id } = service.add({ title: 'Rent' });
  const store = await openStore(t, service);
  await waitFor(() => store.connection.value === 'online');
  service.fault('PATCH', { status: 403, body: { errorCode: 'premium_required', message: 'No' } });
  store.commands.patchTask(id, { deadlineDate: '2026-12-01' });
  await waitFor(() => store.notices.planLimit.value !== null);
  store.retryRefused(store.notices.planLimit.value?.id ?? 0);
  await waitFor(() => service.tasks.get(id)?.deadlineDate === '2026-12-01');
  await waitFor(() => store.waitingCount.value === 0);
  store.undo();
  await store.settled();
  await waitFor(() => service.undone().length === 1);
  t.pass();
});
