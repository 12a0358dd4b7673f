import { AppError } from '#shared/errors/app-error.ts';
import { type Plan, planLimits } from '#shared/plans.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';

type Count = () => Promise<number>;

/**
 * Throws project_limit_reached when there is no room for one more live project, that is one neither in the Trash
 * nor closed. Exact only under the account's lock; `countLive` is asked only where there is a cap.
 */
export async function requireRoomForProject(plan: Plan, countLive: Count): Promise<void> {
  const cap = planLimits[plan].projects;
  if (cap === null || (await countLive()) < cap) return;
  throw new AppError('project_limit_reached', {
    message: `The free plan allows ${cap} active projects. Complete or delete one, or switch to Premium.`,
  });
}

/** Throws area_limit_reached when there is no room for one more area. Exact only under the account's lock. */
export async function requireRoomForArea(plan: Plan, count: Count): Promise<void> {
  const cap = planLimits[plan].areas;
  if (cap === null || (await count()) < cap) return;
  throw new AppError('area_limit_reached', {
    message: `The free plan allows ${cap} areas. Delete one, or switch to Premium.`,
  });
}

/**
 * Throws premium_required when a deadline is set, or changed to another date, on a plan without deadlines.
 * Keeping, re-sending and clearing one from better days is free. `wanted` undefined: not sent.
 */
export function requireDeadlineAllowed(
  plan: Plan,
  kept: CalendarDate | null | undefined,
  wanted: CalendarDate | null | undefined,
): void {
  if (planLimits[plan].hasDeadlines || wanted == null || wanted === kept) return;
  throw new AppError('premium_required', {
    message: 'The free plan allows no deadlines: setting deadlineDate needs Premium.',
  });
}
