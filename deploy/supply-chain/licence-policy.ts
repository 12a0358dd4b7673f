import { type LockedPackage, packageName } from './lock-file.ts';

/** SPDX identifiers of licences that ask for no more than their own text to be passed on. */
const permissive = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
];
/** Binds who passes the package on, which nobody does with a tool. */
const forDevelopment = [...permissive, 'MPL-2.0'];

/** The packages whose licence we have not agreed to, each with its version and what it says. */
export function licenceFaults(packages: ReadonlyMap<string, LockedPackage>): string[] {
  return [...packages].flatMap(([folder, { version, license = 'no licence', dev }]) =>
    isAllowed(license, dev === true ? forDevelopment : permissive)
      ? []
      : [`${packageName(folder)} ${version}: ${license}`],
  );
}

/**
 * Whether an SPDX expression of names, AND, OR and parentheses can be met with these licences alone. AND binds closer
 * than OR (SPDX specification, annex «License expressions»); exceptions (WITH) are not agreed to.
 */
export function isAllowed(expression: string, allowed: readonly string[]): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? [];
  const isMet = anyOf(tokens, allowed);
  return isMet && tokens.length === 0;
}

/** Each takes what it has read from the front of `tokens`. */
function anyOf(tokens: string[], allowed: readonly string[]): boolean {
  let isMet = allOf(tokens, allowed);
  while (tokens[0] === 'OR') {
    tokens.shift();
    const isAlsoMet = allOf(tokens, allowed);
    isMet ||= isAlsoMet;
  }
  return isMet;
}

function allOf(tokens: string[], allowed: readonly string[]): boolean {
  let isMet = one(tokens, allowed);
  while (tokens[0] === 'AND') {
    tokens.shift();
    const isAlsoMet = one(tokens, allowed);
    isMet &&= isAlsoMet;
  }
  return isMet;
}

function one(tokens: string[], allowed: readonly string[]): boolean {
  const token = tokens.shift() ?? '';
  if (token !== '(') return allowed.includes(token);
  const isMet = anyOf(tokens, allowed);
  return tokens.shift() === ')' && isMet;
}
