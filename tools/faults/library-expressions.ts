import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { checkSync, type VulnerableDiagnostics } from 'recheck';
import { expressionLiterals, type FoundExpression } from '#tests/architecture/regular-expressions.ts';

export type CheckedLibrary = {
  name: string;
  expressions: number;
  /** Those whose time the checker could not decide on within its own. */
  undecided: number;
  vulnerable: readonly (FoundExpression & { complexity: string; attack: VulnerableDiagnostics['attack'] })[];
};

/** Attacks are measured in steps alone: by the clock, a busy machine makes harmless expressions look slow. */
const limits = { timeout: 3_000, attackTimeout: null, incubationTimeout: null };
const require = createRequire(import.meta.url);

/** What the checker says of every regular expression literal in a library's main file. Takes up to some seconds for each. */
export function checkLibrary(name: string): CheckedLibrary {
  // The program of the package's other way needs a process of its own for each call.
  process.env.RECHECK_SYNC_BACKEND = 'pure';
  const file = require.resolve(name);
  const text = readFileSync(file, 'utf8');
  const literals = expressionLiterals({ path: `${name}/${path.basename(file)}`, text });
  const distinct = [...new Map(literals.map((found) => [`/${found.source}/${found.flags}`, found])).values()];
  const checked = distinct.map((found) => ({
    found,
    diagnostics: checkSync(found.source, found.flags, limits),
  }));
  return {
    name,
    expressions: distinct.length,
    undecided: checked.filter(({ diagnostics }) => diagnostics.status === 'unknown').length,
    vulnerable: checked.flatMap(({ found, diagnostics }) => {
      if (diagnostics.status !== 'vulnerable') return [];
      return [{ ...found, complexity: diagnostics.complexity.summary, attack: diagnostics.attack }];
    }),
  };
}

/** The attack, its repeated parts made so many that the whole has about this length. */
export function scaleAttack({ pumps, suffix }: VulnerableDiagnostics['attack'], length: number): string {
  const fixed = pumps.reduce((sum, { prefix }) => sum + prefix.length, suffix.length);
  const each = Math.max(0, length - fixed) / Math.max(1, pumps.length);
  const parts = pumps.map(
    ({ prefix, pump }) => prefix + pump.repeat(Math.floor(each / Math.max(1, pump.length))),
  );
  // The checker's «any other character» is U+0000, which no text of the API may hold.
  return (parts.join('') + suffix).replaceAll('\0', 'q');
}
