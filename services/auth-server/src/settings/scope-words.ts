import type { Scope } from '#shared/scopes.ts';

/** What a scope lets its holder do, to somebody who has never heard of scopes. */
export const scopeWords: Readonly<Record<Scope, { name: string; meaning: string }>> = {
  read: { name: 'Read', meaning: 'See your tasks, projects and areas, with their notes and dates.' },
  write: {
    name: 'Write',
    meaning:
      'Add and change tasks, projects and areas, complete tasks and projects or move them to the Trash, and delete sections and areas for good.',
  },
};

/** `Read and write`, for a list. */
export function nameScopes(scopes: readonly Scope[]): string {
  if (scopes.length > 1) return 'Read and write';
  return scopes.map((scope) => `${scopeWords[scope].name} only`).join('');
}
