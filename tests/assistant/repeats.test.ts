import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { furnishDesk, resultsOf, saturday } from './desk.ts';

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

test('a date that is sent with the same rule is no skip: it is told as it is, and can be skipped', async (t) => {
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

test('a repeat from the 30th is told to miss the last day of other months, and how it gets there', async (t) => {
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
