import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { furnishDesk, resultsOf, saturday } from './desk.ts';

const stack = await startStack(undefined, { now: saturday });

test.after.always(() => stack.close());

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
