import test from 'ava';
import { insertTasks, makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { furnishDesk, openDesk, resultsOf, saturday } from './desk.ts';

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

test('completed and trashed tasks of an area are found though their project is in the Trash', async (t) => {
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

test('the id of a project in the Trash is recognised, with how to bring it back', async (t) => {
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

test('a shortened list of names ends with the number of others, or that there are some', async (t) => {
  const { api, assistant } = await openDesk(stack);
  for (let count = 1; count <= 7; count += 1) {
    await makeProject(api, { title: `Plan ${count}`, description: 'Builder: Mr Krause' });
    const script = stack.client(await stack.createToken(api.account, { name: `Script ${count}` }));
    await makeTask(script);
  }
  const text = async (tool: string, input: object) => (await assistant.call(tool, input)).text;
  const others = await text('list_projects', { text: 'plan', status: 'trashed' });
  t.regex(
    others,
    /Other projects with these words: .*«Plan \d» \[[^;]*; and 2 more, which list_projects lists/,
  );
  t.regex(
    await text('find_tasks', { text: 'krause' }),
    /In the notes of projects.*(«Plan \d»,? ){5}and others\.$/,
  );
  t.notRegex(await text('recent_changes', { by: 'Nobody' }), /others/);
  for (let count = 8; count <= 10; count += 1)
    await makeTask(stack.client(await stack.createToken(api.account, { name: `Script ${count}` })));
  t.regex(await text('recent_changes', { by: 'Nobody' }), /: Script 10; .*; Script 2; and others\.$/);
});

test('of tasks that are added a second time every former one is named', async (t) => {
  const { assistant } = await openDesk(stack);
  const tasks = Array.from({ length: 12 }, (_, count) => ({ title: `Chapter ${count}` }));
  const first = await assistant.call('add_tasks', { tasks });
  const again = await assistant.call('add_tasks', { tasks });
  const [told = ''] = again.text.split('\n').slice(-1);
  for (const { id } of resultsOf(first)) t.true(told.includes(String(id)));
});

test('an undo that leaves very much as it is counts what it does not list', async (t) => {
  const { api, assistant } = await openDesk(stack, { plan: 'free' });
  const { id } = await makeProject(api);
  await insertTasks(stack, api.account, 600, { projectId: id });
  await assistant.call('set_project_status', { projects: [id], status: 'completed' });
  for (let count = 0; count < 5; count += 1) await makeProject(api);
  const { text, content } = await assistant.call('undo', { latest: true });
  t.like(content, { undone: 0, kept: { length: 500 } });
  t.regex(text, /^Stays, too: 101 more\.$/m);
});

test('where older changes have left the history, results say since when it is complete', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const { accountId } = api.account;
  await makeTasks(api, 3);
  const since = '2026-11-21';
  const told = /The newest 100,000 changes are kept: what was done before .{16} is missing\.$/m;
  const text = async (tool: string, input: object) => (await assistant.call(tool, input)).text;
  t.notRegex(await text('recent_changes', {}), told);
  await stack.sql`delete from tasks.change_history where account_id = ${accountId} and sequence <= 2`;
  await stack.sql`update tasks.account_feed set last_sequence = 100002 where account_id = ${accountId}`;
  t.regex(await text('recent_changes', {}), told);
  t.regex(await text('recent_changes', { since }), told);
  t.notRegex(await text('recent_changes', { since: '2099-01-01' }), told);
  t.regex(await text('undo', { by: 'anyone', since }), told);
});
