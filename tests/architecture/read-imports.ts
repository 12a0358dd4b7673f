import path from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import type { SourceFile } from './source-files.ts';

/** `to`: a path of the project, or the specifier of a package or of a module of Node. */
export type Import = { from: string; to: string; isTypeOnly: boolean };

const statement = /^(?:import|export)\b(?<type> type\b)?[^;']*?\bfrom '(?<from>[^']+)'/gm;
const otherForms = /^import '(?<from>[^']+)'|\bimport\(\s*'(?<from>[^']+)'/gm;
const aliases = Object.entries(manifest.imports).map(([alias, target]) => [
  alias.replace('*', ''),
  target.replace('./', '').replace('*', ''),
]);

export function importsOf({ path: from, text }: SourceFile): Import[] {
  return [...text.matchAll(statement), ...text.matchAll(otherForms)].map(({ groups }) => ({
    from,
    to: resolveSpecifier(from, groups?.from ?? ''),
    isTypeOnly: groups?.type !== undefined,
  }));
}

function resolveSpecifier(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  const [alias = '', folder = ''] = aliases.find(([start = '']) => specifier.startsWith(start)) ?? [];
  return folder + specifier.slice(alias.length);
}
