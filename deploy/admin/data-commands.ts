import { codeOf, insufficientPrivilege } from '#shared/errors/error-code.ts';
import { emailOption } from './account-commands.ts';
import { type Command, type OptionValues, UsageError } from './command.ts';

const accountOptions = {
  email: { ...emailOption, isRequired: false },
  'account-id': {
    value: 'ID',
    description: 'the account’s id, from account show: in place of --email where the login is resource-api’s',
  },
};

export const dataCommands: readonly Command[] = [
  {
    name: 'project restore',
    summary: 'Take a project out of the Trash, with the tasks that went there with it',
    options: {
      ...accountOptions,
      'project-id': { value: 'ID', description: 'the project', isRequired: true },
    },
    example: 'project restore --email ada@example.com --project-id 0f8fad5b-d9cb-469f-a165-70867728950e',
    exampleAnswer: '{"id":"0f8fad5b-…","title":"Garden","status":"active", …}',
    async run(values, { databaseUrl }) {
      const accountId = await findAccountId(values, databaseUrl);
      const { restoreProject } = await import('#resource-api/admin/data-admin.ts');
      return restoreProject(databaseUrl, { accountId, projectId: values.get('project-id') });
    },
  },
  {
    name: 'feed show',
    summary: 'Show the entries of an account’s sync feed',
    options: {
      ...accountOptions,
      since: { value: 'SEQ', description: 'only entries after this number (default: all)' },
    },
    example: 'feed show --email ada@example.com --since 41',
    exampleAnswer:
      '[{"seq":42,"entity":"task","id":"7c9e…","change":"updated","at":"2026-11-21T08:00:00.000Z"}]',
    async run(values, { databaseUrl }) {
      const since = values.find('since') ?? '0';
      if (!/^\d{1,15}$/.test(since)) throw new UsageError('--since must be a whole number from 0');
      const accountId = await findAccountId(values, databaseUrl);
      const { showFeed } = await import('#resource-api/admin/data-admin.ts');
      return showFeed(databaseUrl, { accountId, since: Number(since) });
    },
  },
];

/** Only auth-server may read addresses: with resource-api's login, accounts are found by id. */
async function findAccountId(values: OptionValues, databaseUrl: string): Promise<string> {
  const [email, accountId] = [values.find('email'), values.find('account-id')];
  if (accountId !== undefined && email === undefined) return accountId;
  if (accountId !== undefined || email === undefined) throw new UsageError('give --email or --account-id');
  const { showAccount } = await import('#auth-server/admin/account-admin.ts');
  try {
    return (await showAccount(databaseUrl, email)).accountId;
  } catch (error) {
    if (codeOf(error) !== insufficientPrivilege) throw error;
    throw new Error(
      'the login of the database may not look for an e-mail address: ' +
        'give --account-id, which account show answers',
    );
  }
}
