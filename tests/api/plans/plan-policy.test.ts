import test from 'ava';
import {
  planLimits,
  requireDeadlineAllowed,
  requireRoomForArea,
  requireRoomForProject,
} from '#resource-api/plans/plan-policy.ts';
import { AppError } from '#shared/errors/app-error.ts';

const counting = (count: number) => async () => count;

test('the free plan has the limits that the interface states, and Premium has none of them', (t) => {
  t.deepEqual(planLimits.free, { projects: 5, areas: 2, hasDeadlines: false, logbookDays: 14 });
  t.deepEqual(planLimits.premium, { projects: null, areas: null, hasDeadlines: true, logbookDays: null });
});

const caps = [
  ['project', requireRoomForProject, 5, 'project_limit_reached'],
  ['area', requireRoomForArea, 2, 'area_limit_reached'],
] as const;

for (const [what, requireRoom, cap, code] of caps) {
  test(`the free plan has room for a ${what} below ${cap} and none at ${cap} or beyond`, async (t) => {
    await t.notThrowsAsync(requireRoom('free', counting(cap - 1)));
    for (const count of [cap, cap + 1]) {
      const error = await t.throwsAsync(requireRoom('free', counting(count)), { instanceOf: AppError });
      t.is(error.code, code);
      t.true(error.message.includes(String(cap)));
    }
  });

  test(`Premium has room for any ${what} without counting them`, async (t) => {
    await t.notThrowsAsync(requireRoom('premium', async () => t.fail()));
  });
}

test('the free plan lets a deadline be kept, re-sent or cleared, and not be set or changed', (t) => {
  const date = '2027-01-01';
  for (const [kept, wanted] of [
    [null, undefined],
    [null, null],
    [date, undefined],
    [date, null],
    [date, date],
    [undefined, undefined],
  ] as const) {
    t.notThrows(() => requireDeadlineAllowed('free', kept, wanted));
  }
  for (const kept of [null, undefined, '2027-01-02']) {
    const error = t.throws(() => requireDeadlineAllowed('free', kept, date), { instanceOf: AppError });
    t.is(error?.code, 'premium_required');
    t.notThrows(() => requireDeadlineAllowed('premium', kept, date));
  }
});
