import type { Environment } from '#shared/config/read-env.ts';

type EnvironmentReader = (environment: Environment) => unknown;

/**
 * The variables that the readers ask for. Each is run over an environment that holds nothing; whether it then
 * complains is of no matter, because a reader looks at everything before it does.
 */
export function variablesRead(readers: readonly EnvironmentReader[]): string[] {
  const names = new Set<string>();
  const recording: Environment = new Proxy({}, { get: (_, name) => void names.add(String(name)) });
  for (const read of readers) {
    try {
      read(recording);
    } catch {}
  }
  // npm's own variables are lower case.
  return [...names].filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name)).toSorted();
}

/** The names in the first column of the tables headed «variable», in back quotes. */
export function variablesDocumented(markdown: string): string[] {
  const tables = markdown.split(/\n(?!\|)/).filter((block) => /^\n?\|\s*variable\s*\|/i.test(block));
  const firstCells = tables
    .flatMap((table) => table.trim().split('\n').slice(2))
    .map((row) => row.split('|')[1] ?? '');
  return firstCells
    .flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]*)`/g)].map(([, name = '']) => name))
    .toSorted();
}
