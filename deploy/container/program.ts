/** A program of the image, by the name a container is started with. */
export type Program = {
  name: string;
  summary: string;
  /** Runs in this very process: the signals that a container gets reach its first process alone. */
  run(): Promise<unknown>;
};

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
    summary: 'the operator’s command; «admin --help» tells more',
    run: () => import('../admin/admin.ts'),
  },
];

export function usage(): string {
  const width = Math.max(...programs.map(({ name }) => name.length));
  return [
    'Usage: PROGRAM [ARGUMENTS]',
    '',
    ...programs.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
  ].join('\n');
}
