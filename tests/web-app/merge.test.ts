import test from 'ava';
import fc from 'fast-check';
import {
  addDays as addDaysOracle,
  daysBetween as daysBetweenOracle,
  todayIn as todayOracle,
} from '#shared/time/calendar-date.ts';
import { addDays, daysBetween, todayIn } from '#web-app/dates/civil-date.ts';
import { mergeChecklists } from '#web-app/store/merge.ts';
import { reconcile } from '#web-app/store/reconcile.ts';

const item = (id: string, title = id, completed = false) => ({ id, title, completed });

test('checklists merge by item: edits of both sides, additions of both, deletions unless edited', (t) => {
  const base = [item('a'), item('b'), item('c')];
  const mine = [item('a', 'A'), item('new'), item('c')];
  const theirs = [item('a', 'a', true), item('b'), item('their'), item('c')];
  t.deepEqual(mergeChecklists(base, mine, theirs), [
    item('a', 'A', true),
    item('new'),
    item('their'),
    item('c'),
  ]);
  t.deepEqual(mergeChecklists(base, [], [item('b', 'B')]), [item('b', 'B')]);
});

test('merging with a side that changed nothing gives the other side', (t) => {
  const checklist = fc.uniqueArray(
    fc.record({ id: fc.string({ minLength: 1, maxLength: 2 }), title: fc.string(), completed: fc.boolean() }),
    { selector: ({ id }) => id, maxLength: 8 },
  );
  fc.assert(
    fc.property(checklist, checklist, (base, changed) => {
      t.deepEqual(mergeChecklists(base, changed, base), changed);
      t.deepEqual(mergeChecklists(base, base, changed), changed);
    }),
  );
});

test('after an unknown outcome a field with our value counts as sent, one changed since is left to others', (t) => {
  const server = { title: 'mine', dueDate: '2026-12-03' };
  const body = { title: 'mine', dueDate: '2026-12-01' };
  const base = { title: 'old', dueDate: null };
  t.deepEqual(reconcile(body, base, server, true), { body: {}, theirs: null, dropped: ['dueDate'] });
  t.deepEqual(reconcile(body, base, server, false).body, body);
});

test('civil dates agree with those of the service', (t) => {
  const date = fc.date({ min: new Date('1971-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
  const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu');
  fc.assert(
    fc.property(date, zone, fc.integer({ min: -4000, max: 4000 }), (now, timeZone, days) => {
      const today = todayIn(timeZone, now);
      t.is(today, todayOracle(timeZone, now));
      t.is(addDays(today, days), addDaysOracle(today, days));
      t.is(daysBetween(today, addDays(today, days)), daysBetweenOracle(today, addDaysOracle(today, days)));
    }),
  );
});
