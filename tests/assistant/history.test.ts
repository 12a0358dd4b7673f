import test from 'ava';
import { restoreProject } from '#resource-api/admin/data-admin.ts';
import type { Task } from '#tests/support/api-types.ts';
import {
  insertTasks,
  makeArea,
  makeProject,
  makeSection,
  makeTask,
  makeTasks,
} from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import type { AssistantClient, ToolResult } from './assistant-client.ts';
import { connectWith, saturday } from './desk.ts';

const stack = await startStack(test);

/** Sentences tell the year of a date only if it is another. */
const thisYear = new Date().getUTCFullYear();

type Call = {
  call: string;
  by: string;
  isMine: boolean;
  isUndo?: boolean;
  changes: { change: string; sentence: string }[];
};

const callsOf = ({ content }: ToolResult) => content.calls as Call[];
const sentencesOf = (result: ToolResult) =>
  callsOf(result).flatMap(({ changes }) => changes.map(({ sentence }) => sentence));

async function open(): Promise<{ api: AccountClient; assistant: AssistantClient }> {
  const api = await stack.newClient({ plan: 'premium', name: 'Script' });
  return { api, assistant: await connectWith(stack, api.account, { name: 'Claude' }) };
}

test('an undo of changes that had been taken back tells what became of each field in all', async (t) => {
  const { api, assistant } = await open();
  const { id } = await makeTask(api, { title: 'Milk' });
  const since = new Date().toISOString();
  await assistant.call('change_tasks', { changes: [{ id, title: 'Oat milk' }] });
  await assistant.call('undo', { latest: true });
  const back = await assistant.call('undo', { by: 'me', since });
  t.regex(back.text, /^Nothing went back\.\nIt was taken back already\./);
  const both = callsOf(await assistant.call('recent_changes', { by: 'me' })).map(({ call }) => call);
  const { text } = await assistant.call('undo', { changes: both });
  t.is((await assistant.call('get_task', { id })).text.includes('\nMilk ('), true);
  t.regex(text, /^Taken back\. All of it is as it was before this undo\.\nTo take this undo back/);

  const again = new Date().toISOString();
  const project = (await makeProject(api, { title: 'Party' })).id;
  await assistant.call('change_tasks', { changes: [{ id, title: 'Soy milk' }] });
  await assistant.call('move_tasks', { moves: [{ id, project }] });
  await assistant.call('undo', { latest: true });
  await assistant.call('change_tasks', { changes: [{ id, title: 'Rice milk' }] });
  for (const area of [{ title: 'Guests' }, { area: 'Guests', remove: 'area' }])
    await assistant.call('save_areas', { areas: [area] });
  const { text: told } = await assistant.call('undo', { by: 'me', since: again });
  t.deepEqual(told.match(/^- .*$/gm), ['- Renamed “Rice milk” to “Milk”.']);
  t.like((await api.get<Task>(`/tasks/${id}`)).body, { title: 'Milk', projectId: null });
});

test('an undone change is labelled so, and a task of another account has no history', async (t) => {
  const { api, assistant } = await open();
  const [milk, bread] = await makeTasks(api, 2);
  const changes = [
    { id: milk?.id, title: 'Oat milk' },
    { id: bread?.id, title: 'Rye bread' },
  ];
  await assistant.call('change_tasks', { changes });
  const mine = async () => await assistant.call('recent_changes', { by: 'me' });
  const second = callsOf(await mine())[0]?.changes[1]?.change;
  await assistant.call('undo', { changes: [second] });
  t.is((await mine()).text.match(/Renamed .*\. \(taken back since\) \[/g)?.length, 1);
  t.true((await mine()).text.includes(`(taken back since) [${second}]`));
  await assistant.call('undo', { latest: true });
  t.false((await mine()).text.includes(`(taken back since) [${second}]`));
  const stranger = await open();
  t.regex((await stranger.assistant.call('recent_changes', { task: milk?.id })).text, /nothing with that id/);
});

test('a task tells who changed it last', async (t) => {
  const { api, assistant } = await open();
  const { id } = await makeTask(api);
  const changedBy = async () => {
    const { text, content } = await assistant.call('get_task', { id });
    t.true(text.includes(`by ${content.changedBy}.`));
    return content.changedBy;
  };
  t.is(await changedBy(), 'Script');
  await assistant.call('change_tasks', { changes: [{ id, title: 'Oat milk' }] });
  t.is(await changedBy(), 'Claude (this connection)');
  await stack.sql`delete from tasks.change_history where entity_id = ${id}`;
  t.regex((await assistant.call('get_task', { id })).text, /last changed [-\d]+ [:\d]+\.$/m);
});

test('a completed occurrence’s history says who completed it, and can undo that', async (t) => {
  const { api, assistant } = await open();
  const { id } = await makeTask(api, {
    title: 'Bins',
    dueDate: '2026-11-23',
    recurrence: { frequency: 'weekly' },
  });
  await api.post(`/tasks/${id}/complete`);
  const found = await assistant.call('find_tasks', { text: 'bins', status: 'completed' });
  const [logged] = found.content.tasks as { id: string }[];
  const changes = await assistant.call('recent_changes', { task: logged?.id });
  t.deepEqual(sentencesOf(changes), ['Completed “Bins”.']);
  t.is(callsOf(changes)[0]?.by, 'Script');
  await assistant.call('undo', { changes: [callsOf(changes)[0]?.call] });
  t.is((await api.get<Task>(`/tasks/${id}`)).body.dueDate, '2026-11-23');
});

test('recent_changes tells who did what: one entry for each call, a sentence for each change', async (t) => {
  const { api, assistant } = await open();
  const [milk, bread] = await makeTasks(api, 2);
  await assistant.call('change_tasks', {
    changes: [
      { id: milk?.id, title: 'Oat milk', deadlineDate: `${thisYear}-12-03` },
      { id: bread?.id, title: 'Rye bread' },
    ],
  });
  const all = await assistant.call('recent_changes');
  t.deepEqual(
    callsOf(all).map(({ by, isMine, changes }) => [by, isMine, changes.length]),
    [
      ['Claude', true, 2],
      ['Script', false, 1],
      ['Script', false, 1],
    ],
  );
  t.deepEqual(sentencesOf(all), [
    `Renamed “${milk?.title}” to “Oat milk” and set its deadline to 3 Dec.`,
    `Renamed “${bread?.title}” to “Rye bread”.`,
    'Added “Rye bread”.',
    'Added “Oat milk”.',
  ]);
  for (const sentence of sentencesOf(all)) t.true(all.text.includes(sentence));
  const countOf = async (by: string) => callsOf(await assistant.call('recent_changes', { by })).length;
  t.deepEqual(await Promise.all(['me', 'script', 'clau', 'anyone', 'person'].map(countOf)), [1, 2, 1, 3, 0]);
  const { text } = await assistant.call('recent_changes', { by: 'Nightly' });
  t.true(text.includes('Nothing was changed by «Nightly». In the last 30 days something was changed by: '));
  t.true(text.endsWith(': Claude (this connection); Script.'));
  const ofBread = await assistant.call('recent_changes', { task: bread?.id });
  t.deepEqual(
    callsOf(ofBread).map(({ by, changes }) => [by, changes.map(({ sentence }) => sentence)]),
    [
      ['Claude', [`Renamed “${bread?.title}” to “Rye bread”.`]],
      ['Script', ['Added “Rye bread”.']],
    ],
  );
  const later = await assistant.call('recent_changes', { since: '2100-01-01T00:00:00Z' });
  t.deepEqual(callsOf(later), []);
});

test('every kind of change has its own words', async (t) => {
  const { api, assistant } = await open();
  const [home, flat] = [await makeArea(api, { title: 'Home' }), await makeProject(api, { title: 'Flat' })];
  const garden = await makeSection(api, flat.id, { title: 'Garden' });
  const { id } = await makeTask(api, { title: 'X' });
  const path = `/tasks/${id}`;
  const patches = [
    { dueDate: `${thisYear}-12-03` },
    { dueDate: `${thisYear}-12-05`, reminderTime: '09:30' },
    { reminderTime: '08:30' },
    { deadlineDate: `${thisYear + 1}-01-31` },
    { dueDate: null },
    { deadlineDate: null, description: 'notes', checklist: [{ title: 'step' }] },
    { recurrence: { frequency: 'daily' } },
    { recurrence: { interval: 2 } },
  ];
  for (const patch of patches) t.is((await api.patch(path, patch)).status, 200);
  const moves = [{ projectId: flat.id }, { sectionId: garden.id }, { list: 'inbox' }, { list: 'inbox' }];
  for (const move of moves) t.is((await api.post(`${path}/move`, move)).status, 200);
  for (const action of ['cancel', 'uncancel', 'complete']) await api.post(`${path}/${action}`);
  await api.delete(path);
  await api.post(`${path}/restore`);
  await api.patch(`/projects/${flat.id}`, { title: 'New flat', areaId: home.id });
  await api.delete(`/projects/${flat.id}`);
  await restoreProject(stack.databaseUrl, { accountId: api.account.accountId, projectId: flat.id });
  await api.delete(`/areas/${home.id}`);
  // A dated task moves to its day, not to the inbox or to Someday.
  const dated = await makeTask(api, { title: 'Y', projectId: flat.id, dueDate: `${thisYear}-12-03` });
  for (const move of [{ list: 'someday' }, { projectId: flat.id }])
    t.is((await api.post(`/tasks/${dated.id}/move`, move)).status, 200);
  const result = await assistant.call('recent_changes');
  t.true(callsOf(result).some(({ by }) => by === 'the operator of the service'));
  const said = sentencesOf(result).toReversed().slice(4);
  t.deepEqual(said, [
    'Planned “X” for 3 Dec.',
    'Changed the date of “X” from 3 Dec to 5 Dec and set its reminder to 09:30.',
    'Changed the reminder of “X” from 09:30 to 08:30.',
    `Set the deadline of “X” to 31 Jan ${thisYear + 1}.`,
    'Removed the date of “X” and removed its reminder.',
    'Removed the deadline of “X”, changed its notes and changed its checklist (added “step”).',
    'Set the repeat of “X” to every day.',
    'Changed the repeat of “X” from every day to every 2 days.',
    'Moved “X” from Someday to “New flat”.',
    'Moved “X” from the top of its project to “Garden”.',
    'Moved “X” from “New flat” / “Garden” to the inbox.',
    'Moved “X” within its list.',
    'Cancelled “X” and ended its repeat.',
    'Reopened “X”.',
    'Completed “X”.',
    'Moved “X” to the Trash.',
    'Restored “X” from the Trash.',
    'Renamed the project “Flat” to “New flat” and moved it from no area to “Home”.',
    'Moved the project “New flat” to the Trash.',
    'Restored the project “New flat” from the Trash.',
    'Moved the project “New flat” from “Home” to no area. Deleted the area “Home”.',
    'Added “Y”.',
    'Moved “Y” from “New flat” to no project (on 3 Dec).',
    'Moved “Y” from no project (on 3 Dec) to “New flat”.',
  ]);
});

test('undo takes back the connection’s last call with all entries, and can be undone', async (t) => {
  const { api, assistant } = await open();
  const tasks = await makeTasks(api, 3);
  const ids = tasks.map(({ id }) => id);
  await assistant.call('set_task_status', { ids, status: 'completed' });
  const script = await makeTask(api);
  const statuses = async () =>
    Promise.all(ids.map(async (id) => (await api.get(`/tasks/${id}`)).body.status));

  const undone = await assistant.call('undo', { latest: true });
  t.false(undone.isError);
  t.like(undone.content, { undone: 3, kept: [] });
  t.deepEqual(await statuses(), ['open', 'open', 'open']);
  t.is((await api.get(`/tasks/${script.id}`)).body.inTrash, false);

  await assistant.call('undo', { changes: [undone.content.call] });
  t.deepEqual(await statuses(), ['completed', 'completed', 'completed']);
});

test('latest takes back an undo, also one of a script’s change, and then that again', async (t) => {
  const { api, assistant } = await open();
  const [milk, bread] = await makeTasks(api, 2);
  const titles = () =>
    Promise.all([milk, bread].map(async (task) => (await api.get(`/tasks/${task?.id}`)).body.title));
  await assistant.call('change_tasks', { changes: [{ id: milk?.id, title: 'Oat milk' }] });
  await api.patch(`/tasks/${bread?.id}`, { title: 'Rye bread' });
  const [script] = callsOf(await assistant.call('recent_changes', { by: 'script' }));
  await assistant.call('undo', { changes: [script?.call] });
  t.deepEqual(await titles(), ['Oat milk', bread?.title]);
  for (const now of ['Rye bread', bread?.title, 'Rye bread']) {
    t.regex((await assistant.call('undo', { latest: true })).text, /^Taken back/);
    t.deepEqual(await titles(), ['Oat milk', now]);
  }
});

test('all that somebody did since a time goes back in one call, and what others did stays', async (t) => {
  const { api, assistant } = await open();
  await makeTask(api, { title: 'Before' });
  const { body } = await api.get<{ items: { createdAt: string }[] }>('/tasks');
  const since = new Date(Date.parse(body.items[0]?.createdAt ?? '') + 1).toISOString();
  await makeTasks(api, 3);
  await assistant.call('add_tasks', { tasks: [{ title: 'Mine' }] });
  const undo = (input: object) => assistant.call('undo', input);
  const { text, content } = await undo({ by: 'script', since });
  t.is(content.undone, 3, text);
  const left = await api.get<{ items: { title: string }[] }>('/tasks');
  t.deepEqual(left.body.items.map(({ title }) => title).toSorted(), ['Before', 'Mine']);
  const unknown = await undo({ by: 'Nightly', since });
  for (const by of ['', ' '])
    t.regex((await assistant.call('undo', { by, since: '2026-01-01' })).text, /by must not be blank/);
  t.regex(
    unknown.text,
    /^Nothing was changed by «[^»]+» since then\. .*: Claude \(this connection\); Script\.$/,
  );
  for (const input of [{ by: 'script' }, { since }, { latest: true, by: 'me', since }])
    t.regex((await undo(input)).text, /^Give latest=true, or changes, or by with since/);
  const writer = await connectWith(stack, api.account, { scopes: ['write'] });
  t.regex((await writer.call('undo', { by: 'script', since })).text, /may not read, so by must be/);
});

test('an undo is reported as done though it stopped half-way or cannot be described', async (t) => {
  const broken = await startStack(t, { now: saturday });
  const api = await broken.newClient({ plan: 'premium' });
  const assistant = await connectWith(broken, api.account);
  const [one, other] = [await makeProject(api), await makeProject(api)];
  const first = await makeTask(api, { title: 'Unlucky', projectId: one.id });
  const second = await makeTask(api, { title: 'Lucky', projectId: one.id });
  const moves = [first, second].map(({ id }) => ({ id, project: other.id }));
  await assistant.call('move_tasks', { moves });
  const placeOf = async ({ id }: { id: string }) => (await api.get(`/tasks/${id}`)).body.projectId;

  await broken.sql`alter table tasks.task add constraint luck check (title <> 'Unlucky') not valid`;
  const half = await assistant.call('undo', { latest: true });
  t.false(half.isError);
  t.regex(half.text, /^Taken back\.(?:.|\n)*\nNot all of it: (?:.|\n)* For the rest: undo with changes \["/);
  t.deepEqual([await placeOf(first), await placeOf(second)], [other.id, one.id]);
  await broken.sql`alter table tasks.task drop constraint luck`;
  await broken.sql`alter table tasks.area rename column title to name`;
  const [, handle] = /For the rest: undo with changes \["([^"]+)"\]/.exec(half.text) ?? [];
  const rest = await assistant.call('undo', { changes: [handle] });
  t.false(rest.isError, rest.text);
  t.regex(rest.text, /^Taken back\.\nTo take this undo back/);
  t.like(rest.content, { undone: 1 });
  t.is(await placeOf(first), one.id);
  const moved = await assistant.call('move_tasks', { moves });
  t.regex(moved.text, /^✓ moved: .*\n✓ moved: /);
});

test('of a change of very many tasks the first are named, and the others counted', async (t) => {
  const { api, assistant } = await open();
  const { id } = await makeProject(api);
  await insertTasks(stack, api.account, 700, { projectId: id });
  await assistant.call('set_project_status', { projects: [id], status: 'completed' });
  const told = [
    await assistant.call('recent_changes', { by: 'me' }),
    await assistant.call('undo', { latest: true }),
  ];
  for (const { text } of told) {
    t.is(text.match(/“/g)?.length, 20);
    t.regex(text, /… and 681 more\./);
  }
});

test('undo takes back one change of a call, or another’s call, and says what stays', async (t) => {
  const { api, assistant } = await open();
  const tasks = await makeTasks(api, 3);
  await assistant.call('reschedule_tasks', { tasks: tasks.map(({ id }) => ({ id, dueDate: '2026-12-03' })) });
  const [mine] = callsOf(await assistant.call('recent_changes'));
  const [first, second, third] = tasks;
  await assistant.call('undo', { changes: [mine?.changes[0]?.change] });
  await api.patch(`/tasks/${second?.id}`, { dueDate: '2026-12-05' });
  const rest = await assistant.call('undo', { changes: [mine?.call] });
  t.like(rest.content, { undone: 1, kept: [{ id: second?.id, title: second?.title, field: 'dueDate' }] });
  const dates = [first, second, third].map(
    async (task) => (await api.get(`/tasks/${task?.id}`)).body.dueDate,
  );
  t.deepEqual(await Promise.all(dates), [null, '2026-12-05', null]);

  const [undo, theirs] = callsOf(await assistant.call('recent_changes'));
  t.deepEqual([undo?.isUndo, theirs?.by], [true, 'Script']);
  t.like((await assistant.call('undo', { changes: [theirs?.call] })).content, { undone: 1 });
  const refused = await assistant.call('undo', { changes: [theirs?.call, 'nothing'] });
  t.true(refused.isError);
  t.regex(refused.text, /no change «nothing»/);
});

test('an undo that later changes prevent says so, and takes back both in one call', async (t) => {
  const { api, assistant } = await open();
  const recurrence = { frequency: 'daily' } as const;
  const { id } = await makeTask(api, { title: 'Vitamins', dueDate: '2030-05-01', recurrence });
  await assistant.call('set_task_status', { ids: [id], status: 'completed' });
  await assistant.call('reschedule_tasks', { tasks: [{ id, dueDate: '2030-05-09' }] });
  const [moved, completed] = callsOf(await assistant.call('recent_changes', { task: id, by: 'me' }));
  const refused = await assistant.call('undo', { changes: [completed?.call] });
  t.true(refused.isError);
  t.regex(
    refused.text,
    /dueDate: It was changed since\.\nTo take it back all the same: first what came after it/,
  );
  const both = await assistant.call('undo', { changes: [completed?.call, moved?.call] });
  t.regex(both.text, /Reopened “Vitamins” and changed its date from 9 May 2030 to 1 May 2030/);
  t.notRegex(both.text, /all the same/);
  const { body } = await api.get<{ items: Task[] }>('/tasks?view=all');
  t.deepEqual(
    body.items.map(({ dueDate, status }) => [dueDate, status]),
    [['2030-05-01', 'open']],
  );
});

test('undo wants to know what, and finds nothing of other accounts', async (t) => {
  const [{ assistant }, stranger] = [await open(), await open()];
  await stranger.assistant.call('add_tasks', { tasks: [{ title: 'Secret' }] });
  const [theirs] = callsOf(await stranger.assistant.call('recent_changes'));
  const change = theirs?.changes[0]?.change;
  for (const input of [{ changes: [theirs?.call] }, { changes: [change] }, { latest: true }, {}]) {
    const { isError, text } = await assistant.call('undo', input);
    t.true(isError);
    t.notRegex(text, /Secret/);
  }
  t.deepEqual(callsOf(await assistant.call('recent_changes')), []);
});

test('an answer about changes older than 30 days says since when they are kept', async (t) => {
  const { assistant } = await open();
  await assistant.call('add_tasks', { tasks: [{ title: 'Buy milk' }] });
  const told =
    /Changes are kept for 30 days: what was done before \d{4}-\d\d-\d\d \d\d:\d\d may be missing\./;
  const since = '2001-01-01';
  t.regex((await assistant.call('recent_changes', { since })).text, told);
  t.regex((await assistant.call('recent_changes', { since, by: 'person' })).text, told);
  const yesterday = new Date(Date.now() - 24 * 3_600_000).toISOString();
  t.notRegex((await assistant.call('recent_changes', { since: yesterday })).text, told);
  t.notRegex((await assistant.call('undo', { by: 'me', since: yesterday })).text, told);
  t.regex((await assistant.call('undo', { by: 'me', since })).text, told);
});
