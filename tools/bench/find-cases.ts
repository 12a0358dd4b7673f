import path from 'node:path';
import { exportedValues } from '#tests/support/exported-values.ts';
import type { BenchCase } from './report/bench-case.ts';

const folder = path.join(import.meta.dirname, 'cases');

/** In which they run and are shown; what fills large databases comes last. */
const order = [
  'identical-code',
  'page-of-50',
  'page-of-50-peers',
  'page-profile',
  'half-load',
  'one-task',
  'identity',
  'empty-poll',
  'recipe-poll',
  'create-task',
  'complete-repeating',
  'authentication',
  'rate-limits',
  'hostile-note',
  'replicas',
  'refresh',
  'refresh-peers',
  'authorization-flow',
  'memory',
  'start',
  'deep-page',
  'growth',
];

/** Every case that a file of `cases/` exports. */
export async function findCases(): Promise<BenchCase[]> {
  const found = (await exportedValues(folder)).filter(isCase);
  return found.toSorted((left, right) => order.indexOf(left.id) - order.indexOf(right.id));
}

function isCase(value: unknown): value is BenchCase {
  return value instanceof Object && 'id' in value && 'goal' in value && 'run' in value;
}
