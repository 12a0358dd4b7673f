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

/** What has run here. */
export const resultsFile = path.join(import.meta.dirname, '../../test-output/faults/results.json');
/** What the document's table was made from; in the repository, since no one machine runs everything each time. */
export const publishedFile = path.join(import.meta.dirname, '../../docs/reliability-results.json');

/** Of every scenario of the file the latest result, in the order of their ids. */
export function readResults(file = resultsFile): ScenarioResult[] {
  if (!existsSync(file)) return [];
  const content: { results: ScenarioResult[] } = JSON.parse(readFileSync(file, 'utf8'));
  return content.results;
}

/** Replaces what is known of the same scenario and keeps the rest. */
export function writeResult(result: ScenarioResult, file = resultsFile): void {
  writeResults(withResult(readResults(file), result), file);
}

/** The results of `earlier`, but for scenarios that have a later one. */
export function mergeResults(
  earlier: readonly ScenarioResult[],
  later: readonly ScenarioResult[],
): ScenarioResult[] {
  return later.reduce(withResult, [...earlier]);
}

function withResult(results: readonly ScenarioResult[], result: ScenarioResult): ScenarioResult[] {
  const others = results.filter(({ id }) => id !== result.id);
  return [...others, result].toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

export function writeResults(results: readonly ScenarioResult[], file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileAtomically(file, `${JSON.stringify({ results }, null, 2)}\n`);
}
