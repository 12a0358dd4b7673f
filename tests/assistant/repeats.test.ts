import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { furnishDesk, resultsOf, saturday } from './desk.ts';

const stack = await startStack(undefined, { now: saturday });

test.after.always(() => stack.close());

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
