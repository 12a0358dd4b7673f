import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '#local/write-file-atomically.ts';
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

/** Of every scenario that has ever run here, the latest result, in the order of their ids. */
export function readResults(file = resultsFile): ScenarioResult[] {
  if (!existsSync(file)) return [];
  const content: { results: ScenarioResult[] } = JSON.parse(readFileSync(file, 'utf8'));
  return content.results;
}

/** Replaces what is known of the same scenario and keeps the rest. */
export function writeResult(result: ScenarioResult, file = resultsFile): void {
  const others = readResults(file).filter(({ id }) => id !== result.id);
  const results = [...others, result].toSorted((left, right) => (left.id < right.id ? -1 : 1));
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileAtomically(file, `${JSON.stringify({ results }, null, 2)}\n`);
}
