import type { Environment } from '#shared/config/read-env.ts';

type EnvironmentReader = (environment: Environment) => unknown;

/** The variables that these readers ask for, found by handing them an environment that records the names. */
export function variablesRead(readers: readonly EnvironmentReader[]): string[] {
  const names = new Set<string>();
  const recording: Environment = new Proxy({}, { get: (_, name) => void names.add(String(name)) });
  for (const read of readers) {
    try {
      read(recording);
    } catch {
      // An empty environment is refused after everything was read.
    }
  }
  // npm's own variables are lower case.
  return [...names].filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name)).toSorted();
}
