import test from 'ava';
import { showFeed } from '#resource-api/admin/feed-admin.ts';
import { restoreProject } from '#resource-api/admin/project-admin.ts';
import { makeArea, makeProject, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

/** What the feed gained since it was last asked, as «entity id change», sorted. */
function feedReader({ account: { accountId } }: AccountClient): () => Promise<string[]> {
  let since = 0;
  return async () => {
    const rows = await showFeed(stack.databaseUrl, { accountId, since });
    since = rows.at(-1)?.seq ?? since;
    return rows.map(({ entity, id, change }) => `${entity} ${id} ${change}`).sort();
  };
}

test('every write to a project enters the feed, with each task it changed', async (t) => {
  const api = await stack.newClient();
  const news = feedReader(api);
  const { id } = await makeProject(api);
  t.deepEqual(await news(), [`project ${id} created`]);
  const task = await makeTask(api, { projectId: id });
  t.deepEqual(await news(), [`task ${task.id} created`]);
  await api.patch(`/projects/${id}`, { title: 'Changed' });
  t.deepEqual(await news(), [`project ${id} updated`]);
  await api.post(`/projects/${id}/complete`);
  t.deepEqual(await news(), [`project ${id} updated`, `task ${task.id} updated`].sort());
  await api.post(`/projects/${id}/uncomplete`);
  t.deepEqual(await news(), [`project ${id} updated`]);
  await api.post(`/tasks/${task.id}/uncancel`);
  await news();
  await api.delete(`/projects/${id}`);
  t.deepEqual(await news(), [`project ${id} updated`, `task ${task.id} updated`].sort());
  await restoreProject(stack.databaseUrl, { accountId: api.account.accountId, projectId: id });
  t.deepEqual(await news(), [`project ${id} updated`, `task ${task.id} updated`].sort());
});

test('the feed is read to its end, however long it is, and from any number on', async (t) => {
  const api = await stack.newClient();
  const { accountId } = api.account;
  await makeArea(api);
  await stack.sql`insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
    select ${accountId}, number, 'task', gen_random_uuid(), 'created', now() from generate_series(2, 2500) number`;
  const sequence = async (since: number) =>
    (await showFeed(stack.databaseUrl, { accountId, since })).map(({ seq }) => seq);
  t.deepEqual(
    await sequence(0),
    Array.from({ length: 2_500 }, (_, index) => index + 1),
  );
  t.deepEqual(await sequence(2_498), [2_499, 2_500]);
  t.deepEqual(await sequence(2_500), []);
});
