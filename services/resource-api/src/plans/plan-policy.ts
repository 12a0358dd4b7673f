import { AppError } from '#shared/errors/app-error.ts';
import { type Plan, planLimits } from '#shared/plans.ts';
import type { CalendarDate } from '#shared/time/calendar-date.ts';

type Count = () => Promise<number>;

/**
 * Throws project_limit_reached if the plan allows no further live project (neither trashed nor closed). Exact
 * only under the account lock; `countLive` is called only if there is a limit.
 */
export async function requireRoomForProject(plan: Plan, countLive: Count): Promise<void> {
  const cap = planLimits[plan].projects;
  if (cap === null || (await countLive()) < cap) return;
  throw new AppError('project_limit_reached', {
    message: `The free plan allows ${cap} active projects. Complete or delete one, or switch to Premium.`,
  });
}

/** Throws area_limit_reached if the plan allows no further area. Exact only under the account lock. */
export async function requireRoomForArea(plan: Plan, count: Count): Promise<void> {
  const cap = planLimits[plan].areas;
  if (cap === null || (await count()) < cap) return;
  throw new AppError('area_limit_reached', {
    message: `The free plan allows ${cap} areas. Delete one, or switch to Premium.`,
  });
}

/**
 * Throws premium_required if a deadline is set or changed on a plan without deadlines. Keeping, resending or
 * clearing one is allowed. `wanted` undefined: not sent.
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
