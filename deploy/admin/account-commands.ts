import type { Command, OptionSpecification } from './command.ts';
import { UsageError } from './command.ts';

export const emailOption: OptionSpecification = {
  value: 'E',
  description: 'the account’s e-mail address, in any case',
  isRequired: true,
};
const planOption = { value: 'free|premium', description: 'the plan' };
const timezoneOption = { value: 'ZONE', description: 'an IANA time zone, such as Europe/Berlin' };
const exampleAnswer =
  '{"accountId":"5f0c…","email":"ada@example.com","plan":"premium","timezone":"Europe/Berlin","status":"active"}';

export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    summary: 'Create an account',
    options: {
      email: { ...emailOption, description: 'the e-mail address; no other account has it' },
      password: { value: 'P', description: '8 to 1,024 characters, not a common password', isRequired: true },
      plan: { ...planOption, description: 'the plan (default: free)' },
      timezone: { ...timezoneOption, description: `${timezoneOption.description} (default: UTC)` },
    },
    example:
      'account create --email ada@example.com --password "correct horse" --plan premium --timezone Europe/Berlin',
    exampleAnswer,
    async run(values, { databaseUrl }) {
      const { addAccount } = await import('#auth-server/admin/account-admin.ts');
      return addAccount(databaseUrl, {
        email: values.get('email'),
        password: values.get('password'),
        plan: values.find('plan'),
        timezone: values.find('timezone'),
      });
    },
  },
  {
    name: 'account update',
    summary: 'Change plan, time zone, status or password',
    options: {
      email: emailOption,
      plan: planOption,
      timezone: timezoneOption,
      status: { value: 'active|suspended', description: 'a suspended account can be read, not changed' },
      password: { value: 'P', description: 'a new password, 8 to 1,024 characters, not a common one' },
    },
    example: 'account update --email ada@example.com --status suspended',
    exampleAnswer: exampleAnswer.replace('active', 'suspended'),
    async run(values, { databaseUrl }) {
      const changes = ['plan', 'timezone', 'status', 'password'].map((name) => [name, values.find(name)]);
      if (changes.every(([, value]) => value === undefined)) {
        throw new UsageError('nothing to change: give --plan, --timezone, --status or --password');
      }
      const { changeAccount } = await import('#auth-server/admin/account-admin.ts');
      return changeAccount(databaseUrl, values.get('email'), Object.fromEntries(changes));
    },
  },
  {
    name: 'account reset-link',
    summary: 'Make a link with which the owner chooses a new password, once, within half an hour',
    options: { email: emailOption },
    example: 'account reset-link --email ada@example.com',
    exampleAnswer: '{"accountId":"5f0c…","url":"https://tasks.example.com/sign-in/reset?link=…"}',
    async run(values, { databaseUrl, baseUrl }) {
      const { makeResetLink } = await import('#auth-server/admin/account-admin.ts');
      return makeResetLink(databaseUrl, values.get('email'), baseUrl());
    },
  },
  {
    name: 'account show',
    summary: 'Show an account',
    options: { email: emailOption },
    example: 'account show --email ada@example.com',
    exampleAnswer,
    async run(values, { databaseUrl }) {
      const { showAccount } = await import('#auth-server/admin/account-admin.ts');
      return showAccount(databaseUrl, values.get('email'));
    },
  },
];
