import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Everything that the modules of a folder export. */
export async function exportedValues(folder: string): Promise<unknown[]> {
  const files = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((name) => import(path.join(folder, name))),
  );
  return modules.flatMap((module) => Object.values(module));
}
