import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import type { AssistantClient } from './assistant-client.ts';
import { furnishDesk, openDesk, resultsOf, saturday } from './desk.ts';

const stack = await startStack(test, { now: saturday });

test('a deadline of one date alone is told as that, and one with the rule is that of all', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const dates = { dueDate: '2026-11-30', deadlineDate: '2026-12-02' };
  const rent = { title: 'Rent', ...dates, repeat: { frequency: 'weekly' } };
  const [{ id } = {}] = resultsOf(await assistant.call('add_tasks', { tasks: [rent] }));
  const change = async (to: object) =>
    (await assistant.call('change_tasks', { changes: [{ id, ...to }] })).text;
  const alone = /^✓ changed, its deadline on this date alone \(on all: with repeat\): Rent /;
  t.regex(await change({ deadlineDate: '2026-12-03' }), alone);
  t.regex(await change({ title: 'Rent', notes: 'By transfer' }), /^✓ changed: Rent /);
  t.regex(await change({ deadlineDate: '2026-12-02' }), /^✓ changed: Rent /);
  t.regex(await change({ deadlineDate: '2026-12-04', repeat: {} }), /^✓ changed: Rent /);
  const skipped = await assistant.call('skip_occurrence', { ids: [id] });
  t.regex(skipped.text, /: Rent \(planned Mon 2026-12-07, deadline Fri 2026-12-11/);
});

test('a date that is sent with the same rule is no skip, and can itself be skipped', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const repeat = { frequency: 'monthly' };
  const added = await assistant.call('add_tasks', {
    tasks: [
      { title: 'Gym', dueDate: '2026-12-01', repeat },
      { title: 'Club', dueDate: '2026-12-01', deadlineDate: '2026-12-04', repeat },
    ],
  });
  const [gym, club] = resultsOf(added).map(({ id }) => id);
  const changes = [
    { id: gym, dueDate: '2026-12-03', repeat },
    { id: club, deadlineDate: '2026-12-05', repeat },
  ];
  await assistant.call('change_tasks', { changes });
  const told = await assistant.call('recent_changes', { task: club });
  t.regex(told.text, /\n {2}Changed the deadline of “Club” from 4 Dec to 5 Dec\.\n/);
  const skipped = await assistant.call('skip_occurrence', { ids: [gym, club] });
  t.regex(skipped.text, /^✓ skipped for Thu 2026-12-03.*: Gym .*\n✓ skipped for Tue 2026-12-01.*: Club/);
  const again = await assistant.call('skip_occurrence', { ids: [gym, club] });
  t.regex(again.text, /^= nothing changed, it was skipped .*: Gym .*\n= nothing changed, it was skipped /);
  const history = await assistant.call('recent_changes', { task: club });
  t.regex(history.text, /Skipped “Club”, changed its date from 1 Dec to 1 Jan 2027/);
});

test('a repeat from the 30th says that it misses the last day of months, and how to reach it', async (t) => {
  const { assistant } = await furnishDesk(stack);
  const bill = { title: 'Bill', dueDate: '2026-11-30', repeat: { frequency: 'monthly' } };
  const others = [
    { ...bill, title: 'Rent', dueDate: '2026-12-31' },
    { ...bill, title: 'Club', repeat: { frequency: 'monthly', weekOfMonth: -1, weekdays: ['monday'] } },
  ];
  const added = await assistant.call('add_tasks', { tasks: [bill, ...others] });
  t.regex(
    added.text,
    /^✓ added, on day 30, not on the last .* at 2026-10-31 instead, then skip_occurrence: /,
  );
  t.regex(added.text, /\n✓ added: Rent .*\n✓ added: Club /);
  const [{ id } = {}] = resultsOf(added);
  const changes = [{ id, dueDate: '2026-10-31', repeat: bill.repeat }];
  t.regex((await assistant.call('change_tasks', { changes })).text, /^✓ changed: Bill /);
  t.regex((await assistant.call('skip_occurrence', { ids: [id] })).text, /: Bill \(planned Mon 2026-11-30, /);
  const done = { ids: [id], status: 'completed' };
  t.regex((await assistant.call('set_task_status', done)).text, /: Bill \(planned Thu 2026-12-31, /);
});

async function addOne(assistant: AssistantClient, task: object) {
  const added = await assistant.call('add_tasks', { tasks: [{ title: 'Rent', ...task }] });
  const [{ id } = {}] = resultsOf(added);
  const reschedule = async (to: object) =>
    (await assistant.call('reschedule_tasks', { tasks: [{ id, ...to }] })).text;
  const change = async (to: object) =>
    (await assistant.call('change_tasks', { changes: [{ id, ...to }] })).text;
  const complete = async () =>
    (await assistant.call('set_task_status', { ids: [id], status: 'completed' })).text;
  return { added, id, reschedule, change, complete };
}

const weekly = { frequency: 'weekly' };

test('a deadline that is added to a repeat, or taken from it, is told to be on all dates', async (t) => {
  const { assistant } = await openDesk(stack);
  const { change } = await addOne(assistant, { dueDate: '2026-11-23', repeat: weekly });
  const ofAll = /^✓ changed, its deadline on all dates to come: Rent /;
  t.regex(await change({ deadlineDate: '2026-11-25' }), ofAll);
  t.regex(await change({ deadlineDate: '2026-11-26' }), /its deadline on this date alone/);
  t.regex(await change({ clear: ['deadlineDate'] }), ofAll);
});

test('a repeat by deadlines is planned and has a reminder on one date alone, which is told', async (t) => {
  const { assistant } = await openDesk(stack);
  const { reschedule, complete } = await addOne(assistant, { deadlineDate: '2026-11-30', repeat: weekly });
  const plan = { dueDate: '2026-11-28', reminderTime: '09:00' };
  t.regex(await reschedule(plan), /^✓ rescheduled, its reminder on this date alone: Rent /);
  t.regex(await complete(), /: Rent \(deadline Mon 2026-12-07, every week/);
});

test('a reminder that goes with the day of one date is told to be gone from all', async (t) => {
  const { assistant } = await openDesk(stack);
  const gym = { dueDate: '2026-11-23', reminderTime: '18:00', repeat: weekly };
  const { reschedule } = await addOne(assistant, gym);
  const cleared = await reschedule({ clear: ['dueDate'] });
  t.regex(cleared, /^✓ off its day, in Someday now, without a reminder on all dates to come, but no day /);
  t.regex(cleared, /^✓ .*, but no day .* \(reschedule_tasks\): /);
});

test('a rule that was set without a date starts at the first that its task is planned for', async (t) => {
  const { assistant } = await openDesk(stack);
  const monthly = await addOne(assistant, { repeat: { frequency: 'monthly' } });
  t.regex(monthly.added.text, /^✓ added, but no day shows it before it has a dueDate \(reschedule_tasks\): /);
  t.regex(
    await monthly.reschedule({ dueDate: '2026-12-01' }),
    /^✓ rescheduled, the first day of its repeat: Rent /,
  );
  t.regex(await monthly.complete(), /: Rent \(planned Fri 2027-01-01, every month\)/);
  const mondays = await addOne(assistant, { repeat: { ...weekly, weekdays: ['monday'] } });
  t.regex(
    await mondays.reschedule({ dueDate: '2026-12-01' }),
    /^✓ rescheduled, though Tue 2026-12-01 is no day of its repeat, which is next on Mon 2026-12-07: /,
  );
  t.regex(await mondays.reschedule({ dueDate: '2026-12-02' }), /^✓ rescheduled: /);
});

test('a reopened occurrence is described as a task of its own, with how to undo that', async (t) => {
  const { api, assistant } = await openDesk(stack);
  const { id, complete } = await addOne(assistant, { dueDate: '2026-11-20', repeat: { frequency: 'daily' } });
  await complete();
  const found = await assistant.call('find_tasks', { text: 'rent', closedFrom: '2026-11-21' });
  const [logged] = found.content.tasks as { id: string }[];
  const { text } = await assistant.call('set_task_status', { ids: [logged?.id], status: 'open' });
  t.regex(text, /^✓ reopened as a task of its own beside its repeat, .* from recent_changes\): Rent /);
  await assistant.call('undo', { latest: true });
  const { content } = await assistant.call('recent_changes', { task: logged?.id });
  const completion = (content.calls as { call: string }[]).at(-1)?.call;
  await assistant.call('undo', { changes: [completion] });
  const { body } = await api.get<{ items: { id: string; dueDate: string }[] }>('/tasks');
  t.deepEqual(
    body.items.map((task) => [task.id, task.dueDate]),
    [[id, '2026-11-20']],
  );
  const once = await addOne(assistant, {});
  await once.complete();
  const usual = await assistant.call('set_task_status', { ids: [once.id], status: 'open' });
  t.regex(usual.text, /^✓ reopened: Rent /);
});
