import { readFileSync } from 'node:fs';

/** `class Task`, `Task = class _Task`, or `Task = class`, before what it extends or holds. */
const classHead =
  /(?:(?<variable>[\w$]{1,200}) = )?(?<![\w$.])class(?: (?!extends )(?<name>[\w$]{1,200}))?(?= extends | \{)/g;

/** The names of all classes in these files. */
export function classNamesIn(files: readonly string[]): Set<string> {
  const names = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    return [...text.matchAll(/\bclass\s+([\w$]+)/g), ...text.matchAll(/([\w$]{1,200})\s?=\s?class\b/g)];
  });
  return new Set(names.map(([, name = '']) => name));
}

/**
 * Gives classes of a bundle the names they had: a bundler renames those whose name is taken in it, and those that
 * mention themselves. What is stored and logged depends on them (the kinds of oidc-provider's tokens, the types of
 * errors). The bundler's own way to keep names takes functions, too, and a fifth of a request's processor time.
 * `known`: the names that classes had before. Throws when one can't be given its name back.
 */
export function keepClassNames(bundle: string, known: ReadonlySet<string>): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { 0: head, index, groups = {} } of bundle.matchAll(classHead)) {
    const { variable, name } = groups;
    const present = name ?? variable;
    if (present === undefined) continue;
    const former = formerName(variable, name, known);
    if (former === present) continue;
    if (former === undefined) throw new Error(`the class ${present} of the bundle was called otherwise`);
    const body = bodyOf(bundle, index + head.length);
    const naming = ` static { Object.defineProperty(this, 'name', { value: '${former}' }); }`;
    parts.push(bundle.slice(copied, body), naming);
    copied = body;
  }
  return parts.join('') + bundle.slice(copied);
}

/** The first brace that stands in no other bracket opens the body; what is extended may be a call with objects. */
function bodyOf(bundle: string, start: number): number {
  let depth = 0;
  for (let at = start; at < bundle.length; at += 1) {
    const character = bundle.charAt(at);
    if (character === '{' && depth === 0) return at + 1;
    if ('([{'.includes(character)) depth += 1;
    if (')]}'.includes(character)) depth -= 1;
  }
  throw new Error('a class of the bundle has no body');
}

/** Undefined when no class was called so. One that had no name of its own keeps that of its variable, whatever it is. */
function formerName(
  variable: string | undefined,
  name: string | undefined,
  known: ReadonlySet<string>,
): string | undefined {
  const isKnown = (candidate: string): boolean => known.has(candidate);
  const forms = (text: string): string[] => [text, text.replace(/\d{1,4}$/, '')];
  if (name === undefined) return forms(variable ?? '').find(isKnown) ?? variable;
  // `Task = class _Task`: what mentions itself is called so from within.
  const inner = variable !== undefined && name.startsWith('_') ? forms(name.slice(1)) : [];
  return [...inner, ...forms(name)].find(isKnown);
}
