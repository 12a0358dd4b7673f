import path from 'node:path';
import { placeOf, type SourceFile } from './source-files.ts';

export type Import = {
  from: string;
  /** A path of the project, `npm:<package>`, or `node:<module>`. */
  to: string;
  /** `path:line` of the import. */
  place: string;
  /** Gone when the program runs. */
  isTypeOnly: boolean;
  /** Made when the line is reached, not when the file is loaded. */
  isDynamic: boolean;
};

const statement =
  /^(?:import|export)\s+(?<type>type\s+)?(?:[\w*]+(?:\s+as\s+\w+)?\s*,?\s*)?(?:\{[^}]*\}\s*)?from\s+'(?<from>[^']+)'/gm;
const bareStatement = /^import\s+'(?<from>[^']+)'/gm;
const dynamicImport = /\bimport\(\s*'(?<from>[^']+)'/g;

/** The `imports` of package.json. */
const aliases: Record<string, string> = {
  '#shared/': 'shared/',
  '#resource-api/': 'services/resource-api/src/',
  '#auth-server/': 'services/auth-server/src/',
  '#local/': 'deploy/local/',
  '#tests/': 'tests/',
  '#tools/': 'tools/',
};

export function importsOf(file: SourceFile): Import[] {
  const read = (pattern: RegExp, isDynamic: boolean): Import[] =>
    [...file.text.matchAll(pattern)].map(({ groups, index }) => ({
      from: file.path,
      to: resolveSpecifier(file.path, groups?.from ?? ''),
      place: placeOf(file, index),
      isTypeOnly: groups?.type !== undefined,
      isDynamic,
    }));
  return [...read(statement, false), ...read(bareStatement, false), ...read(dynamicImport, true)];
}

function resolveSpecifier(from: string, specifier: string): string {
  if (specifier.startsWith('.')) return path.posix.join(path.posix.dirname(from), specifier);
  if (specifier.startsWith('node:')) return specifier;
  const alias = Object.keys(aliases).find((prefix) => specifier.startsWith(prefix));
  if (alias !== undefined) return aliases[alias] + specifier.slice(alias.length);
  const [scopeOrName = '', name = ''] = specifier.split('/');
  return `npm:${scopeOrName.startsWith('@') ? `${scopeOrName}/${name}` : scopeOrName}`;
}
