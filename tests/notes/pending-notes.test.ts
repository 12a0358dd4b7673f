import test from 'ava';
import { pendingVersion } from '#resource-api/notes/notes-renderer.ts';
import type { Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openStream } from '../app/event-stream.ts';
import { createWebApps } from '../app/web-app-client.ts';

const stack = await startStack(test);

const description = 'Some *soil*';
const soon = { timeoutMilliseconds: 20_000 };
const html = '<p>Some <em>soil</em></p>';

test('notes stored as plain text for want of time are rendered soon, and mirrors and open apps hear of it', async (t) => {
  const api = await (await createWebApps(stack)).open();
  const task = await makeTask(api, { description });
  const project = await makeProject(api, { description });
  const { sql } = stack;
  const stream = await openStream(stack, api.accessToken);
  await sql`update tasks.task set description_html = 'plain', renderer_version = ${pendingVersion} where id = ${task.id}`;
  await sql`update tasks.project set description_html = 'plain', renderer_version = ${pendingVersion}
    where id = ${project.id}`;

  const changed = await waitFor(async () => {
    const { body } = await api.get<{ items: Task[] }>(`/tasks?updatedSince=${project.updatedAt}`);
    return body.items[0];
  }, soon);
  t.deepEqual({ ...changed, updatedAt: task.updatedAt }, task);
  const { body } = await waitFor(async () => {
    const read = await api.get<Project>(`/projects/${project.id}`);
    return read.body.descriptionHtml === html ? read : undefined;
  }, soon);
  t.true(body.updatedAt > project.updatedAt);
  await waitFor(() => stream.events.at(-1)?.seq === 4, { what: 'the event of both renderings' });
  stream.close();
});
