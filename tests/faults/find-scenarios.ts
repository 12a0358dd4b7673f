import { readdirSync } from 'node:fs';
import path from 'node:path';
import type { Scenario } from './scenario.ts';

const folder = path.join(import.meta.dirname, 'scenarios');

/** Every scenario that a file of `scenarios/` exports, in the order of their ids. */
export async function findScenarios(): Promise<Scenario[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((name) => import(path.join(folder, name))),
  );
  const found = modules.flatMap((module) => Object.values(module).filter(isScenario));
  return found.toSorted((left, right) => (left.id < right.id ? -1 : 1));
}

function isScenario(value: unknown): value is Scenario {
  return value instanceof Object && 'id' in value && 'goal' in value && 'run' in value;
}
