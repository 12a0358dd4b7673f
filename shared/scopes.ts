type ScopeFacts = { name: string; meaning: string; changesData: boolean };

/** The OAuth scopes: letters and colons alone, as patterns hold them. `write` does not imply `read`. */
const catalogue = {
  read: {
    name: 'Read',
    meaning: 'See your tasks, projects and areas, with their notes and dates.',
    changesData: false,
  },
  write: {
    name: 'Write',
    meaning:
      'Add and change tasks, projects and areas, complete tasks and projects or move them to the Trash, ' +
      'and delete sections and areas. ' +
      'Each change shows what it changed, a task’s notes included.',
    changesData: true,
  },
} as const satisfies Record<string, ScopeFacts>;

export type Scope = keyof typeof catalogue;

/** Labels on the pages of auth-server and in the OpenAPI document. */
export const scopeLabels: Readonly<Record<Scope, ScopeFacts>> = catalogue;

/** `Read and write`, `Read only`. */
export function describeScopes(granted: readonly Scope[]): string {
  const [first = '', ...further] = granted.map((scope) => scopeLabels[scope].name);
  if (further.length === 0) return `${first} only`;
  return [first, ...further.map((name) => name.toLowerCase())].join(' and ');
}

// `Object.keys` returns `string[]`.
export const scopes = Object.keys(catalogue) as readonly Scope[];

/** All scopes as a parameter `scope` (RFC 6749 §3.3). */
export const everyScope = scopes.join(' ');

/** One or more scopes, separated by single spaces; repeating one changes nothing (RFC 6749 §3.3). */
export const scopeListPattern = `^(${scopes.join('|')})( (${scopes.join('|')}))*$`;

/** The known ones among `names`, each once. */
export function knownScopes(names: readonly string[]): Scope[] {
  return scopes.filter((scope) => names.includes(scope));
}

export function isScope(value: unknown): value is Scope {
  return scopes.some((scope) => scope === value);
}

/** Whether operations of the scope change data: suspended accounts may not. */
export function changesData(scope: Scope | null): boolean {
  return scope !== null && catalogue[scope].changesData;
}
