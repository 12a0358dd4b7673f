import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import type { AccountOptions } from '#tests/support/test-accounts.ts';
import { connectWith, saturday } from './desk.ts';

const stack = await startStack(undefined, { now: saturday });

test.after.always(() => stack.close());

async function open(options: AccountOptions = {}) {
  const api = await stack.newClient({ plan: 'premium', timezone: 'Europe/Berlin', ...options });
  return { api, assistant: await connectWith(stack, api.account) };
}

test('texts tell times of the account, so that a task closed late is closed on the day that was asked for', async (t) => {
  const { api, assistant } = await open({ timezone: 'America/Los_Angeles' });
  const { id } = await makeTask(api, { title: 'Late' });
  const { body: project } = await api.post<{ id: string }>('/projects', { title: 'Shed' });
  for (const path of [`/tasks/${id}/complete`, `/projects/${project.id}/complete`]) await api.post(path);
  const at = '2026-11-20T07:59:26Z';
  await stack.sql`update tasks.task set completed_at = ${at} where id = ${id}`;
  await stack.sql`update tasks.project set completed_at = ${at} where id = ${project.id}`;
  const found = await assistant.call('find_tasks', { closedFrom: '2026-11-19', closedTo: '2026-11-19' });
  t.regex(found.text, /Late \(inbox, completed 2026-11-19 23:59\)/);
  t.like(found.content, { tasks: [{ closedAt: '2026-11-20T07:59:26.000Z' }] });
  const { text } = await assistant.call('list_projects', { status: 'completed' });
  t.regex(text, /Shed \(0 open, completed 2026-11-19 23:59\)/);
});
