import path from 'node:path';
import { keepResults } from '#tests/support/kept-results.ts';
import type { MeasuredEnvironment } from '#tools/faults/measured-environment.ts';
import type { Finding } from './finding.ts';

export type CaseResult = {
  id: string;
  what: string;
  goal: string;
  findings: readonly Finding[];
  /** Why there are none. */
  failure?: string;
  /** ISO 8601 */
  ranAt: string;
  durationSeconds: number;
  isQuick: boolean;
  /** Whether servers and stores had a core each. */
  isPinned: boolean;
  environment: MeasuredEnvironment;
  /** From 0 to 1, of the processor time wanted: what a hypervisor gave to others. Absent where nobody tells. */
  stolenShare?: number | undefined;
};

export const resultsFile = path.join(import.meta.dirname, '../../../test-output/bench/results.json');

/** What has run here. */
export const latestResults = keepResults<CaseResult>(resultsFile);
/** What the document's table and chart were made from; in the repository, since not every run measures everything. */
export const publishedResults = keepResults<CaseResult>(path.join(import.meta.dirname, '../results.json'));
