export const plans = ['free', 'premium'] as const;
export type Plan = (typeof plans)[number];

/** What a plan allows (specification §8). null: as many as one likes. */
export type PlanLimits = {
  projects: number | null;
  areas: number | null;
  hasDeadlines: boolean;
  /** How many local days back the logbook view reaches. */
  logbookDays: number | null;
};

export const planLimits: Readonly<Record<Plan, PlanLimits>> = {
  free: { projects: 5, areas: 2, hasDeadlines: false, logbookDays: 14 },
  premium: { projects: null, areas: null, hasDeadlines: true, logbookDays: null },
};
