import type { Scope } from '#shared/scopes.ts';

export const scopeLabels: Readonly<Record<Scope, { name: string; meaning: string }>> = {
  read: { name: 'Read', meaning: 'See your tasks, projects and areas, with their notes and dates.' },
  write: {
    name: 'Write',
    meaning:
      'Add and change tasks, projects and areas, complete tasks and projects or move them to the Trash, and delete sections and areas for good.',
  },
};
