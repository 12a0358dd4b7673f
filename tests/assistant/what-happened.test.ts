import test from 'ava';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { connectWith, furnishDesk, openDesk, resultsOf, saturday, savedIn } from './desk.ts';

const stack = await startStack(test, { now: saturday });

type Call = { call: string; changes: { change: string; sentence: string }[] };

test('what was so already is called unchanged, not done', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const milk = { id: ids['Buy milk'], dueDate: '2026-11-21' };
  await assistant.call('edit_checklists', { edits: [{ id: ids['Pay the rent'], add: ['Look up the sum'] }] });
  const done = [ids['File the taxes'], ids['Pay the rent']];
  const mixed = await assistant.call('set_task_status', { ids: done, status: 'completed' });
  t.deepEqual(
    resultsOf(mixed).map(({ ok, unchanged }) => [ok, unchanged]),
    [
      [true, true],
      [true, undefined],
    ],
  );
  t.regex(mixed.text, /^= nothing changed, it is so already: File the taxes .*\n✓ completed: Pay the rent/);
  const again: [tool: string, input: object][] = [
    ['reschedule_tasks', { tasks: [milk] }],
    ['restore_tasks', { ids: [ids['Buy milk']] }],
    ['trash_tasks', { ids: [ids['Old idea']] }],
    ['change_tasks', { changes: [{ id: ids['Buy milk'], title: 'Buy milk' }] }],
    ['set_project_status', { projects: ['Garden'], status: 'active' }],
    ['save_projects', { projects: [{ project: 'Garden', title: 'Garden' }] }],
    ['save_sections', { project: 'Garden', sections: [{ section: 'Beds', title: 'Beds' }] }],
    ['save_areas', { areas: [{ area: 'Home', title: 'Home' }] }],
  ];
  for (const [tool, input] of again) {
    const { text } = await assistant.call(tool, input);
    t.regex(text, /nothing changed, it is so already: /i, tool);
    t.notRegex(text, /✓/, tool);
  }
  const { text } = await assistant.call('set_task_status', {
    ids: [ids['Water the plants']],
    status: 'open',
  });
  t.regex(text, /^= nothing changed, it is open at its next date; undo takes its last completion back/);
});

test('a project says what became of its tasks, and a new name that there is another', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const status = async (input: object) => (await assistant.call('set_project_status', input)).text;
  t.regex(await status({ projects: ['Office move'], status: 'completed' }), /\. 2 tasks were cancelled\.$/);
  const project = ids['Office move'];
  for (const [tool, input] of [
    ['save_projects', { projects: [{ project, title: 'Moved' }] }],
    ['save_sections', { project, sections: [{ title: 'Boxes' }] }],
    ['move_tasks', { moves: [{ id: ids['Buy milk'], project }] }],
  ] as const)
    t.regex((await assistant.call(tool, input)).text, /^✗ .* completed project .*; reopen it first\.?$/);
  t.regex(await status({ projects: ['Garden'], status: 'trashed' }), /\. 1 task went there with it\.$/);
  const restored = await assistant.call('set_project_status', { projects: ['Garden'], status: 'restored' });
  t.regex(restored.text, /\. 1 task came back with it\.$/);
  const made = [
    await assistant.call('save_projects', { projects: [{ title: 'garden' }] }),
    await assistant.call('save_areas', { areas: [{ title: 'HOME' }] }),
    await assistant.call('save_sections', { project: savedIn(restored), sections: [{ title: 'Beds' }] }),
  ];
  for (const { text } of made) t.regex(text, /Another one has that name: use ids\.$/);
  t.notRegex((await assistant.call('save_areas', { areas: [{ title: 'Hobbies' }] })).text, /Another/);
});

test('a changed project, section or area says what is different, a new project where it is', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const told = async (tool: string, input: object) => (await assistant.call(tool, input)).text;
  const made = { title: 'Party', area: 'hom', deadlineDate: '2026-12-24', newSections: ['Food', 'Music'] };
  const party = await told('save_projects', { projects: [made] });
  t.regex(
    party,
    /^Created Party \(in Home, 0 open, deadline Thu 2026-12-24\) \[[-\da-f]+\]; sections: Food \[/,
  );
  t.regex(party, /\]; sections: Food \[.*, Music \[/);
  const office = `«Move» (${ids['Office move']}).`;
  t.is(
    await told('save_projects', {
      projects: [{ project: 'Office', title: 'Move', clear: ['area'], newSections: ['Boxes'] }],
    }),
    `Changed ${office} Renamed the project “Office move” to “Move” and moved it from “Work” to no area. ` +
      'Created the section “Boxes”.',
  );
  t.is(
    await told('save_projects', {
      projects: [{ project: 'Move', notes: 'Key: Mr Krause', deadlineDate: '2026-12-01' }],
    }),
    `Changed ${office} Set the deadline of the project “Move” to 1 Dec and changed its notes.`,
  );
  t.is(
    await told('save_sections', { project: 'Garden', sections: [{ section: 'Lawn', position: 0 }] }),
    `Changed «Lawn» (${ids.Lawn}). Moved the section “Lawn” within its list.`,
  );
  t.is(
    await told('save_areas', { areas: [{ area: 'Home', title: 'House' }] }),
    `Changed «House» (${ids.Home}). Renamed the area “Home” to “House”.`,
  );
  t.regex(
    await told('save_sections', { project: 'Garden', sections: [{ section: 'Beds', remove: 'section' }] }),
    /^Deleted section «Beds» .*\. 1 task stays in the project\.$/,
  );
  t.regex(
    await told('save_areas', { areas: [{ area: 'House', remove: 'area' }] }),
    /^Deleted area «House» .*\. 2 projects are in no area now\.$/,
  );
});

test('a task that comes back without its project says so, and what takes it there', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const id = ids['Order seeds'];
  await assistant.call('set_project_status', { projects: ['Garden'], status: 'trashed' });
  const { text } = await assistant.call('restore_tasks', { ids: [id] });
  t.regex(text, /^✓ restored, but not to its project.*set_project_status, then move_tasks\): Order.*\(inbox/);
  await assistant.call('set_project_status', { projects: ['Garden'], status: 'restored' });
  const moved = await assistant.call('move_tasks', { moves: [{ id, project: 'Garden' }] });
  t.regex(moved.text, /: Order seeds \(in Garden\)/);
});

test('what was done in one go is listed, and goes back, as one', async (t) => {
  const { assistant } = await furnishDesk(stack);
  await assistant.call('save_projects', { projects: [{ title: 'Party', newSections: ['Food', 'Music'] }] });
  const [newest] = (await assistant.call('recent_changes', { by: 'me' })).content.calls as Call[];
  t.deepEqual(
    newest?.changes.map(({ sentence }) => sentence),
    ['Created the project “Party”. Created the section “Food”. Created the section “Music”.'],
  );
  const { text } = await assistant.call('undo', { changes: [newest?.changes[0]?.change] });
  t.regex(text, /^Taken back\. What changed:\n- /);
  t.true(text.includes('- Moved the project “Party” to the Trash.'));
});

test('undo says what it did, not what it would have done', async (t) => {
  const { api, assistant, ids } = await furnishDesk(stack);
  const trio = ['Buy milk', 'Call the dentist', 'Pack the books'];
  await assistant.call('reschedule_tasks', {
    tasks: trio.map((title) => ({ id: ids[title], dueDate: '2026-12-01' })),
  });
  await api.patch(`/tasks/${ids['Call the dentist']}`, { dueDate: '2026-12-02' });
  const { text } = await assistant.call('undo', { latest: true });
  t.is(text.match(/^- /gm)?.length, 2);
  t.notRegex(text, /- .*dentist/);
  t.regex(text, /Stays: “Call the dentist”/);
});

test('a rule can lose its end or its week of the month; a repeat without a day is warned of', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const repeat = { frequency: 'monthly', weekdays: ['friday'], weekOfMonth: -1, until: '2027-06-30' };
  const added = await assistant.call('add_tasks', {
    tasks: [
      { title: 'Invoices', dueDate: '2026-11-27', repeat },
      { title: 'Stretch', repeat: { frequency: 'daily' } },
      { title: 'Juggle', list: 'someday', dueDate: '2026-11-27' },
    ],
  });
  t.regex(added.text, /every month on the last friday, until 2027-06-30/);
  t.regex(added.text, /added, but no day shows it before it has a dueDate \(reschedule_tasks\): Stretch/);
  const changes = [{ id: ids['Read the tide tables'], repeat: { frequency: 'daily' } }];
  const changed = await assistant.call('change_tasks', { changes });
  t.regex(changed.text, /changed, but no day shows it before it has a dueDate \(reschedule_tasks\): Read/);
  t.regex(added.text, /added, not to someday: a task with a date shows on its day: Juggle/);
  const id = resultsOf(added)[0]?.id;
  const clear = async (...names: string[]) =>
    (await assistant.call('change_tasks', { changes: [{ id, clear: names }] })).text;
  t.regex(await clear('until'), /every month on the last friday\)/);
  t.regex(await clear('weekOfMonth'), /every month\)/);
  const off = [id, ids['Pack the books']].map((each) => ({ id: each, clear: ['dueDate'] }));
  const { text } = await assistant.call('reschedule_tasks', { tasks: off });
  t.regex(
    text,
    /^✓ off its day, in Someday now, but no day shows it before it has a dueDate .*: Invoices \(/,
  );
  t.regex(text, /\n✓ off its day: Pack the books \(in Office move\)/);
});

test('a day outside the rule is reported with the next one, as is the next date when done', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const weekly = (...weekdays: string[]) => ({ frequency: 'weekly', weekdays });
  const added = await assistant.call('add_tasks', {
    tasks: [
      { title: 'Gym', dueDate: '2026-12-01', repeat: weekly('monday', 'thursday') },
      { title: 'Bins', dueDate: '2026-12-07', repeat: weekly('monday') },
    ],
  });
  t.regex(
    added.text,
    /✓ added, though Tue 2026-12-01 is no day of its repeat, which is next on Thu 2026-12-03: Gym/,
  );
  t.regex(added.text, /✓ added: Bins/);
  const [gym, bins] = resultsOf(added).map(({ id }) => id);
  const changed = await assistant.call('change_tasks', {
    changes: [{ id: bins, repeat: { weekdays: ['tuesday'] } }],
  });
  t.regex(changed.text, /✓ changed, though Mon 2026-12-07 is no day .* next on Tue 2026-12-08: Bins/);
  const done = await assistant.call('set_task_status', { ids: [gym], status: 'completed' });
  t.regex(
    done.text,
    /✓ completed for Tue 2026-12-01, and at its next date now .*: Gym \(planned Thu 2026-12-03/,
  );
});

test('what is added a second time is told, with the task that was there', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const add = (...titles: string[]) =>
    assistant.call('add_tasks', { tasks: titles.map((title) => ({ title })) });
  const first = await add('Sweep', 'Mow');
  t.notRegex(first.text, /already/);
  const again = await add('Sweep', 'Dig');
  const [sweep] = resultsOf(first);
  t.regex(
    again.text,
    new RegExp(`Open with the same title already: Sweep \\(added .*\\) \\[${sweep?.id}\\]\\.$`),
  );
});

test('a day after the deadline is told', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const { text } = await assistant.call('reschedule_tasks', {
    tasks: [
      { id: ids['Pay the rent'], dueDate: '2026-11-25' },
      { id: ids['Pay the rent'], dueDate: '2026-11-26' },
    ],
  });
  t.deepEqual(text.match(/planned after its deadline|✓/g), ['✓', '✓', 'planned after its deadline']);
});

test('a dated task sent to Someday says what it takes, and one in the Trash that it is there', async (t) => {
  const { assistant, ids } = await furnishDesk(stack);
  const id = ids['Buy milk'];
  const moved = await assistant.call('move_tasks', { moves: [{ id, list: 'someday' }] });
  t.regex(
    moved.text,
    /not in someday either: .*; without its dates it is there \(reschedule_tasks\): Buy milk/,
  );
  const due = { id: ids['Pay the rent'], list: 'someday' };
  const byDeadline = await assistant.call('move_tasks', { moves: [due] });
  t.regex(byDeadline.text, /without its dates it is there \(change_tasks\): Pay the rent/);
  const cleared = await assistant.call('reschedule_tasks', { tasks: [{ id, clear: ['dueDate'] }] });
  t.regex(cleared.text, /✓ off its day, in Someday now: Buy milk \(someday\)/);
  const inTrash = await assistant.call('reschedule_tasks', {
    tasks: [{ id: ids['Old idea'], dueDate: '2026-12-01' }],
  });
  t.regex(inTrash.text, /✓ rescheduled, though it is in the Trash: Old idea/);
});

const acts = [
  { act: 'completed', tool: 'set_task_status', rest: { status: 'completed' } },
  { act: 'skipped', tool: 'skip_occurrence', rest: {} },
] as const;

async function openWithPlants(recurrence: { frequency: 'daily'; until?: string } = { frequency: 'daily' }) {
  const { api, assistant } = await openDesk(stack);
  const { id } = await makeTask(api, { title: 'Water the plants', dueDate: '2026-11-20', recurrence });
  const day = async () => (await api.get<Task>(`/tasks/${id}`)).body.dueDate;
  return { api, id, day, assistant };
}

for (const { act, tool, rest } of acts) {
  test(`a repeated call takes no other occurrence, and says what was done and is next: ${act}`, async (t) => {
    const { assistant, id, day } = await openWithPlants();
    const call = (more: object = {}) => assistant.call(tool, { ids: [id], ...rest, ...more });
    const done = await call();
    t.regex(
      done.text,
      new RegExp(
        `✓ ${act} for Fri 2026-11-20, and at its next date now .*occurrence=2026-11-22\\): .*planned Sun`,
      ),
    );
    t.like(resultsOf(done)[0], { ok: true, occurrence: '2026-11-20', task: { dueDate: '2026-11-22' } });
    const again = await call();
    t.regex(
      again.text,
      new RegExp(`^= nothing changed, it was ${act} at [-\\d]+ [:\\d]+ already; .* occurrence=2026-11-22: `),
    );
    t.like(resultsOf(again)[0], { ok: true, unchanged: true, task: { dueDate: '2026-11-22' } });
    t.is(await day(), '2026-11-22');
    const named = { occurrence: '2026-11-22' };
    t.regex((await call(named)).text, new RegExp(`✓ ${act} for Sun 2026-11-22`));
    t.regex((await call(named)).text, /The task is on 2026-11-23 now, not on 2026-11-22/);
    t.is(await day(), '2026-11-23');
  });

  test(`calls in the same instant take one occurrence: ${act}`, async (t) => {
    const { api, assistant, id, day } = await openWithPlants();
    const other = await connectWith(stack, api.account);
    await Promise.all([assistant, other, assistant].map((each) => each.call(tool, { ids: [id], ...rest })));
    t.is(await day(), '2026-11-22');
  });
}

test('an occurrence completed elsewhere today is completed again only if undone or replanned', async (t) => {
  const { api, assistant, id, day } = await openWithPlants();
  const complete = () => assistant.call('set_task_status', { ids: [id], status: 'completed' });
  await api.post(`/tasks/${id}/complete`);
  t.like(resultsOf(await complete())[0], { unchanged: true });
  await api.patch(`/tasks/${id}`, { dueDate: '2026-11-21' });
  t.regex((await complete()).text, /✓ completed for Sat 2026-11-21/);
  await assistant.call('undo', { latest: true });
  t.is(await day(), '2026-11-21');
  t.regex((await complete()).text, /✓ completed for Sat 2026-11-21/);
  await api.patch(`/tasks/${id}`, { dueDate: '2026-11-21', recurrence: { frequency: 'weekly' } });
  t.regex((await complete()).text, /✓ completed for Sat 2026-11-21.*Sat 2026-11-28/);
  const logged = await api.get<Page<Task>>('/tasks?view=logbook');
  t.is(logged.body.items.length, 3);
});

test('a repeat from completion may stay on its day: its completion is reported, and done once', async (t) => {
  const { api, assistant, id, day } = await openWithPlants();
  const recurrence = { frequency: 'daily', interval: 3, fromCompletion: true };
  await api.patch(`/tasks/${id}`, { dueDate: '2026-11-22', recurrence });
  await api.patch(`/tasks/${id}`, { dueDate: '2026-11-24' });
  const complete = (more = {}) =>
    assistant.call('set_task_status', { ids: [id], status: 'completed', ...more });
  t.regex((await complete()).text, /✓ completed for Tue 2026-11-24.*planned Tue 2026-11-24/);
  t.regex((await complete()).text, /= nothing changed, it was completed at/);
  const named = await complete({ occurrence: '2026-11-24' });
  t.regex(named.text, /✓ completed for Tue 2026-11-24/);
  t.not(resultsOf(named)[0]?.unchanged, true);
  t.is((await api.get<Page<Task>>('/tasks?view=logbook')).body.items.length, 2);
  t.regex((await assistant.call('skip_occurrence', { ids: [id] })).text, /✓ skipped for Tue 2026-11-24/);
  t.is(await day(), '2026-11-27');
});

test('of an occurrence to come it is told how to leave it out', async (t) => {
  const { assistant, id, day } = await openWithPlants();
  const skip = (occurrence: string) => assistant.call('skip_occurrence', { ids: [id], occurrence });
  t.regex(
    (await skip('2026-12-24')).text,
    /can be skipped or moved once it is .* end the repeat the day before/,
  );
  t.notRegex((await skip('2026-11-01')).text, /end the repeat/);
  t.not(await day(), '2026-12-24');
});

test('after one completion the next occurrence may be skipped, and the last ends the series', async (t) => {
  const { assistant, id, day } = await openWithPlants({ frequency: 'daily', until: '2026-11-23' });
  const complete = () => assistant.call('set_task_status', { ids: [id], status: 'completed' });
  await complete();
  t.false((await assistant.call('skip_occurrence', { ids: [id] })).isError);
  t.is(await day(), '2026-11-23');
  const last = await complete();
  t.regex(last.text, /✓ completed for Mon 2026-11-23: Water the plants/);
  t.regex((await complete()).text, /= nothing changed, it is so already/);
});

test('cancelling what repeats is told to be for all its dates', async (t) => {
  const { api, assistant, id } = await openWithPlants();
  const once = await makeTask(api);
  const cancel = (...ids: string[]) => assistant.call('set_task_status', { ids, status: 'cancelled' });
  t.regex((await cancel(id, once.id)).text, /^✓ cancelled, all dates to come .*: Water .*\n✓ cancelled: /);
  t.regex((await cancel(id)).text, /^= nothing changed/);
});

test('an occurrence that is put off beyond others is told to leave them out', async (t) => {
  const { api, assistant } = await openWithPlants();
  const { id } = await makeTask(api, { dueDate: '2026-11-24', recurrence: { frequency: 'weekly' } });
  const plan = async (dueDate: string) =>
    (await assistant.call('reschedule_tasks', { tasks: [{ id, dueDate }] })).text;
  for (const near of ['2026-11-26', '2026-12-01', '2026-11-23'])
    t.regex(await plan(near), /^✓ rescheduled: /, near);
  t.regex(await plan('2027-01-12'), /that are left out, from Tue 2026-12-01 on, unless this one is done/);
  const list = await assistant.call('find_tasks', { plannedFrom: '2026-11-24', plannedTo: '2027-01-12' });
  t.notRegex(list.text, /2026-12-01/);
  const skipped = await assistant.call('skip_occurrence', { ids: [id] });
  t.regex(skipped.text, /planned Tue 2026-12-01/);
});

test('a date belongs to completing', async (t) => {
  const { assistant, id } = await openWithPlants();
  const { text, isError } = await assistant.call('set_task_status', {
    ids: [id],
    status: 'cancelled',
    occurrence: '2026-11-20',
  });
  t.true(isError);
  t.regex(text, /occurrence goes with status=completed/);
});
