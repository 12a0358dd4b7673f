/** A program of the image, by its name on the command line; runs in the container's first process. */
type Program = { name: string; summary: string; run(): Promise<unknown> };

export const programs: readonly Program[] = [
  {
    name: 'auth-server',
    summary: 'accounts, tokens, keys, OAuth and its pages',
    run: () => import('#auth-server/main.ts'),
  },
  {
    name: 'resource-api',
    summary: 'the API and the assistant server',
    run: () => import('#resource-api/main.ts'),
  },
  {
    name: 'migrate',
    summary: 'brings the database up to date, then ends',
    run: () => import('../admin/migrate.ts'),
  },
  {
    name: 'admin',
    summary: 'the operator’s command; see «admin --help»',
    run: () => import('../admin/admin.ts'),
  },
];

export function usage(): string {
  const lines = programs.map(({ name, summary }) => `  ${name.padEnd(12)}  ${summary}`);
  return ['Usage: PROGRAM [ARGUMENTS]', '', ...lines].join('\n');
}
