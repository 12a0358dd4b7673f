export const plans = ['free', 'premium'] as const;
export type Plan = (typeof plans)[number];

/** Limits of a plan (specification §8). null: unlimited. */
export type PlanLimits = {
  projects: number | null;
  areas: number | null;
  hasDeadlines: boolean;
  /** Days shown in the logbook view, in the account's time zone. */
  logbookDays: number | null;
};

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  free: { projects: 5, areas: 2, hasDeadlines: false, logbookDays: 14 },
  premium: { projects: null, areas: null, hasDeadlines: true, logbookDays: null },
};
