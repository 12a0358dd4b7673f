/** One fault that is brought about on purpose, and what is expected of the service meanwhile and afterwards. */
export type Scenario = {
  /** Kebab case; what `npm run test:faults -- <id>` chooses it by. */
  id: string;
  /** The fault, as the table of results names it. */
  fault: string;
  /** What has to come out of it, in figures. */
  goal: string;
  /** After which it is given up; 15 unless given. */
  limitMinutes?: number;
  /** Bounded in time and load; ends what it started whatever happens. Says on `report` what it is doing. */
  run(report: (line: string) => void): Promise<Outcome>;
};

export type Outcome = {
  /** What clients saw, in figures: statuses with counts, longest wait. */
  clientsSaw: string;
  /** Acknowledged writes lost, halves, gaps, duplicates: «nothing» or how many. */
  lost: string;
  /** How long until answers were as before, in words with a unit; `–` where nothing was down. */
  healthyAfter: string;
  /** Every figure that the goal names, as measured. */
  figures: Record<string, number | string>;
  /** A sentence for each part of the goal that was missed; empty when it was reached. */
  misses: string[];
};
