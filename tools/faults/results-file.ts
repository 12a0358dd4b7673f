import path from 'node:path';
import { keepResults } from '#tests/support/kept-results.ts';
import type { MeasuredEnvironment } from './measured-environment.ts';
import type { Outcome } from './scenario.ts';

export type ScenarioResult = {
  id: string;
  fault: string;
  goal: string;
  state: 'reached' | 'missed' | 'not run';
  /** Why it was not run. */
  reason?: string;
  outcome?: Outcome;
  /** ISO 8601 */
  ranAt: string;
  durationSeconds: number;
  environment: MeasuredEnvironment;
};

export const resultsFile = path.join(import.meta.dirname, '../../test-output/faults/results.json');

/** What has run here. */
export const latestResults = keepResults<ScenarioResult>(resultsFile);
/** What the document's table was made from; in the repository, since no one machine runs everything each time. */
export const publishedResults = keepResults<ScenarioResult>(path.join(import.meta.dirname, 'results.json'));
