import { emailOption } from './account-commands.ts';
import { type Command, UsageError } from './command.ts';

export const dataCommands: readonly Command[] = [
  {
    name: 'project restore',
    summary: 'Take a project out of the Trash, with the tasks that went there with it',
    options: {
      email: emailOption,
      'project-id': { value: 'ID', description: 'the project', isRequired: true },
    },
    example: 'project restore --email ada@example.com --project-id 0f8fad5b-d9cb-469f-a165-70867728950e',
    exampleAnswer: '{"id":"0f8fad5b-…","title":"Garden","status":"active", …}',
    async run(values, { databaseUrl }) {
      const { showAccount } = await import('#auth-server/admin/account-admin.ts');
      const { restoreProject } = await import('#resource-api/admin/project-admin.ts');
      const { isUuid } = await import('#shared/validation/fields.ts');
      const projectId = values.get('project-id').toLowerCase();
      const { accountId } = await showAccount(databaseUrl, values.get('email'));
      const missing = new Error('the account has no project with that id');
      if (!isUuid(projectId)) throw missing;
      return restoreProject(databaseUrl, { accountId, projectId }).catch((error: unknown) => {
        throw error instanceof Error && 'code' in error && error.code === 'not_found' ? missing : error;
      });
    },
  },
  {
    name: 'feed show',
    summary: 'Show the entries of an account’s sync feed',
    options: {
      email: emailOption,
      since: { value: 'SEQ', description: 'only entries after this number (default: all)' },
    },
    example: 'feed show --email ada@example.com --since 41',
    exampleAnswer:
      '[{"seq":42,"entity":"task","id":"7c9e…","change":"updated","at":"2026-11-21T08:00:00.000Z"}]',
    async run(values, { databaseUrl }) {
      const since = values.find('since') ?? '0';
      if (!/^\d{1,15}$/.test(since)) throw new UsageError('--since must be a whole number from 0');
      const { showAccount } = await import('#auth-server/admin/account-admin.ts');
      const { showFeed } = await import('#resource-api/admin/feed-admin.ts');
      const { accountId } = await showAccount(databaseUrl, values.get('email'));
      return showFeed(databaseUrl, { accountId, since: Number(since) });
    },
  },
];
