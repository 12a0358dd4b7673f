import test from 'ava';
import { waitFor } from '#tests/support/wait-for.ts';
import { openStore } from './open-store.ts';
import { ScriptedService } from './scripted-service.ts';

test('a task is shown at once, sent, and keeps its key and its signal under the id of the server', async (t) => {
  const service = new ScriptedService();
  const store = await openStore(t, service);
  await waitFor(() => store.connection.value === 'online');
  const temporary = store.commands.addTask({ title: 'Buy milk' });
  await store.settled();
  t.is(store.rows.tasks.row(temporary).value?.title, 'Buy milk');
  await waitFor(() => store.waitingCount.value === 0);
  const [made] = service.tasks.values();
  t.deepEqual(store.views.inbox.value, [made?.id]);
  t.is(store.keyOf(made?.id ?? ''), temporary);
  t.is(store.rows.tasks.row(temporary).value?.id, made?.id);
});
