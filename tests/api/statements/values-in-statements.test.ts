import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { recordStatements } from './record-statements.ts';

const record = recordStatements();
const stack = await startStack(test, { own: true });

test('no statement holds a text of the caller’s: values travel beside it, and are stored unchanged', async (t) => {
  const client = await stack.newClient({ plan: 'premium' });
  record.take();
  const texts = (what: string) => ({
    title: `secret ${what} ' \\ $1 ? ?? "`,
    description: `secret *${what}* \\? E'' -- $2`,
  });
  const project = await makeProject(client, { title: texts('project').title });
  const { body: made } = await client.post<Task>('/tasks', {
    ...texts('made'),
    projectId: project.id,
    dueDate: '2026-11-22',
    recurrence: { frequency: 'daily', interval: 1 },
    checklist: [{ title: 'secret item' }],
  });
  t.like(made, texts('made'));
  const { body: changed } = await client.patch<Task>(`/tasks/${made.id}`, texts('changed'));
  t.like(changed, texts('changed'));
  t.is((await client.post(`/tasks/${made.id}/complete`)).status, 200);
  t.is((await client.post(`/projects/${project.id}/complete`)).status, 200);
  const sent = record.take();
  t.true(sent.some((statement) => statement.startsWith('insert into "tasks"."task"')));
  t.deepEqual(
    sent.filter((statement) => statement.includes('secret')),
    [],
  );
});
