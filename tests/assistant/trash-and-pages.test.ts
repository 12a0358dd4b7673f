import test from 'ava';
import { makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { furnishDesk, openDesk, saturday } from './desk.ts';

const stack = await startStack(test, { now: saturday });

test('an empty last page of a longer list is no list of closed tasks', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const { id } = await makeProject(api, { title: 'Shed' });
  const [oldest] = await makeTasks(api, 3, { projectId: id });
  const search = { project: 'Shed', limit: 2 };
  const { content } = await assistant.call('find_tasks', search);
  await api.post(`/tasks/${oldest?.id}/complete`);
  const { text } = await assistant.call('find_tasks', { ...search, cursor: content.nextCursor });
  t.regex(text, / No more tasks\.$/);
});

test('what was done in an area, or is in the Trash, is found though its project is in the Trash', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const { id } = await makeTask(api, { title: 'Mow', projectId: String(ids.Garden) });
  await api.post(`/tasks/${id}/complete`);
  await assistant.call('set_project_status', { projects: ['Garden'], status: 'trashed' });
  const find = async (input: object) =>
    (await assistant.call('find_tasks', { area: 'Home', ...input })).text.split('\n')[1];
  t.regex(
    (await find({ status: 'completed' })) ?? '',
    /^- Mow \(in Garden, which is in the Trash, completed/,
  );
  t.regex((await find({ view: 'trash' })) ?? '', /^- Order seeds /);
});

test('what is in the Trash is not overdue', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const { id } = await makeTask(api, { title: 'Mow', dueDate: '2026-11-01' });
  t.regex((await assistant.call('get_task', { id })).text, /, overdue\)/);
  await api.delete(`/tasks/${id}`);
  const { text } = await assistant.call('find_tasks', { view: 'trash' });
  t.regex(text, /- Mow \(planned Sun 2026-11-01, in the Trash\)/);
});

test('the id of a project in the Trash is not said to be of nothing, and how to bring it back is', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const project = ids.Garden;
  await api.delete(`/projects/${project}`);
  for (const [tool, input] of [
    ['set_project_status', { projects: [project], status: 'trashed' }],
    ['set_project_status', { projects: [project], status: 'active' }],
    ['get_project', { project: project?.toUpperCase() }],
    ['add_tasks', { tasks: [{ title: 'Mow', project }] }],
  ] as const) {
    const { isError, text } = await assistant.call(tool, input);
    t.true(isError, tool);
    t.regex(text, /«Garden» is in the Trash: set_project_status with restored brings it back/, tool);
  }
});
