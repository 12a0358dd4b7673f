import path from 'node:path';
import { exportedValues } from '#tests/support/exported-values.ts';
import type { Scenario } from './scenario.ts';

const folder = path.join(import.meta.dirname, 'scenarios');

/** Every scenario that a file of `scenarios/` exports, in the order of their ids. */
export async function findScenarios(): Promise<Scenario[]> {
  const found = (await exportedValues(folder)).filter(isScenario);
  return found.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function isScenario(value: unknown): value is Scenario {
  return value instanceof Object && 'id' in value && 'goal' in value && 'run' in value;
}
