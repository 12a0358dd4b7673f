import test, { type ExecutionContext } from 'ava';
import { createApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { startServices, useService } from './backup/service-in-use.ts';
import { extractRelease, findRunnableRelease } from './upgrade/previous-release.ts';
import { NoPreviousRelease } from './upgrade/project-history.ts';
import { startRelease } from './upgrade/release-process.ts';

const title = 'the release before works on the present schema, beside the present one';
try {
  const release = findRunnableRelease();
  test(title, (t) => bothWork(t, release));
} catch (error) {
  if (!(error instanceof NoPreviousRelease)) throw error;
  test.skip(`${title} (skipped: ${error.message.trim()})`, () => undefined);
}

async function bothWork(t: ExecutionContext, release: string): Promise<void> {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const present = await startServices(t, database.url);
  const callers = await useService(present);
  const folder = extractRelease(t, release);
  const [api, authServer] = await Promise.all([
    startRelease(t, folder, 'resource-api', present),
    startRelease(t, folder, 'auth-server', present),
  ]);

  const earlier = (root: string, secret: string) =>
    createApiClient({
      root: `${root}/api/public/v1`,
      headers: { Authorization: `Bearer ${secret}` },
      // Its document is not the present one.
      check: () => undefined,
    });
  const client = earlier(api, callers.token.secret);
  const area = await makeArea(client);
  const project = await makeProject(client, { areaId: area.id, description: '**notes**' });
  await makeSection(client, project.id);
  const task = await makeTask(client, { projectId: project.id });
  t.is((await client.patch(`/tasks/${task.id}`, { title: 'By the release before' })).status, 200);
  t.is((await client.post(`/tasks/${task.id}/complete`)).status, 200);
  t.is((await client.get('/tasks?view=all')).status, 200);
  t.is((await earlier(api, callers.accessToken).get('/me')).status, 200);
  t.is((await earlier(api, callers.revokedToken.secret).get('/me')).status, 401);
  const exchanged = await earlier(authServer, callers.token.secret).post('/auth/token', {
    subjectToken: callers.token.secret,
  });
  t.is(exchanged.status, 200);

  const read = await present.client(String(exchanged.body.accessToken)).get<Task>(`/tasks/${task.id}`);
  t.is(read.body.title, 'By the release before');
  t.is(read.body.status, 'completed');
}
