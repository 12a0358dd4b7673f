import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { startArchivedServer } from './backup/archived-server.ts';
import { readAnswers, startServices, useService } from './backup/service-in-use.ts';

test('from a base backup and the archived log the service comes back as it was at the moment before a mistake', async (t) => {
  const server = await startArchivedServer(t);
  await migrateDatabase(server.url);
  await server.backUp();

  const before = await startServices(t, server.url);
  const callers = await useService(before);
  const answers = await readAnswers(before, callers);
  await server.markMoment('before_the_mistake');
  await server.query('delete from tasks.task');
  await server.markMoment('after_the_mistake');
  t.notDeepEqual(await readAnswers(before, callers), answers);
  await before.close();
  await server.lose();

  const after = await startServices(t, await server.restore('before_the_mistake'));
  t.deepEqual(await readAnswers(after, callers), answers);
  const task = await makeTask(after.client(callers.token));
  const [last] = await after.sql<{ entity_id: string; sequence: string; entries: string }>`
    select entity_id, sequence, (select count(*) from tasks.feed_entry where account_id = ${callers.accountId}) as entries
    from tasks.feed_entry where account_id = ${callers.accountId} order by sequence desc limit 1`;
  t.is(last?.entity_id, task.id);
  t.is(last?.sequence, last?.entries);
});
