/** One fault that is injected, and what is expected of the service during and after it. */
export type Scenario = {
  /** Kebab case; what `npm run test:faults -- <id>` chooses it by. */
  id: string;
  /** The fault, as the table of results names it. */
  fault: string;
  /** The expected result, in figures. */
  goal: string;
  /** Time limit; 15 by default. */
  limitMinutes?: number;
  /** Bounded in time and load; ends what it started whatever happens. */
  run(report: (line: string) => void): Promise<Outcome>;
};

export type Outcome = {
  /** Statuses with counts, longest wait. */
  clientsSaw?: string;
  /** Acknowledged writes lost, halves, gaps, duplicates: «nothing» or how many. */
  lost?: string;
  /** With a unit. */
  healthyAfter?: string;
  /** A sentence for each part of the goal that was missed; empty when it was reached. */
  misses: string[];
};

/** A program that a fault needs is not installed: the fault is not tried. */
export class MissingProgramError extends Error {}

/** The sentences whose condition holds. */
export function missesOf(
  ...conditions: readonly (readonly [isMissed: boolean, sentence: string])[]
): string[] {
  return conditions.flatMap(([isMissed, sentence]) => (isMissed ? [sentence] : []));
}
