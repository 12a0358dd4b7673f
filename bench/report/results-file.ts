import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from '#local/write-file-atomically.ts';
import type { MeasuredEnvironment } from '#tests/faults/measured-environment.ts';
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
};

/** What has run here. */
export const resultsFile = path.join(import.meta.dirname, '../../test-output/bench/results.json');
/** What the document's table and chart were made from; in the repository, since not every run measures everything. */
export const publishedFile = path.join(import.meta.dirname, '../../docs/performance-results.json');

/** Of every case of the file the latest result, in the order in which `ids` names them. */
export function readResults(ids: readonly string[], file = resultsFile): CaseResult[] {
  if (!existsSync(file)) return [];
  const { results }: { results: CaseResult[] } = JSON.parse(readFileSync(file, 'utf8'));
  return results.toSorted((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id));
}

/** Replaces what is known of the same case and keeps the rest. */
export function writeResult(result: CaseResult, file = resultsFile): void {
  const others = readResults([], file).filter(({ id }) => id !== result.id);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileAtomically(file, `${JSON.stringify({ results: [...others, result] }, null, 2)}\n`);
}

/** Takes over what has run here, and answers all that is published then. */
export function publishResults(ids: readonly string[]): CaseResult[] {
  for (const result of readResults(ids)) writeResult(result, publishedFile);
  return readResults(ids, publishedFile);
}
