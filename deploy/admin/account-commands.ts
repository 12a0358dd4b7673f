import { randomBytes } from 'node:crypto';
import { codeOf, insufficientPrivilege } from '#shared/errors/error-code.ts';
import { type Command, type Instance, type OptionSpecification, UsageError } from './command.ts';

export const emailOption: OptionSpecification = {
  value: 'E',
  description: 'the account’s e-mail address, in any case',
  isRequired: true,
};
const planOption = { value: 'free|premium', description: 'the plan' };
const timezoneOption = { value: 'ZONE', description: 'an IANA time zone, such as Europe/Berlin' };
const exampleAnswer =
  '{"accountId":"5f0c…","email":"ada@example.com","plan":"premium",' +
  '"timezone":"Europe/Berlin","status":"active"}';

const passwordRule =
  'reads it from standard input, since others see a command line; ' +
  '8 to 1,024 characters, not a common password';

/** Undefined if none was given. Throws UsageError for a password on the command line. */
async function readPassword(given: string | undefined, instance: Instance): Promise<string | undefined> {
  if (given === undefined) return undefined;
  if (given === '-') return instance.standardInput();
  throw new UsageError(
    'a command line is seen by others: give --password - and write the password to standard input',
  );
}

function lockCommand(name: 'lock' | 'unlock', summary: string): Command {
  return {
    name: `account ${name}`,
    summary,
    options: { email: emailOption },
    example: `account ${name} --email ada@example.com`,
    exampleAnswer: exampleAnswer.replace('active', name === 'lock' ? 'locked' : 'active'),
    async run(values, { stores }) {
      const { changeAccountLock } = await import('#auth-server/admin/account-admin.ts');
      return changeAccountLock(stores, values.get('email'), name === 'lock');
    },
  };
}

export const accountCommands: readonly Command[] = [
  {
    name: 'account create',
    summary: 'Create an account',
    options: {
      email: { ...emailOption, description: 'the e-mail address; no other account has it' },
      password: { value: '-', description: `${passwordRule}; without it one is made, and shown once` },
      plan: { ...planOption, description: 'the plan (default: free)' },
      timezone: { ...timezoneOption, description: `${timezoneOption.description} (default: UTC)` },
    },
    example: 'account create --email ada@example.com --plan premium --timezone Europe/Berlin',
    exampleAnswer: exampleAnswer.replace('}', ',"password":"Vq3…"}'),
    async run(values, instance) {
      const { addAccount } = await import('#auth-server/admin/account-admin.ts');
      const given = await readPassword(values.find('password'), instance);
      const password = given ?? randomBytes(15).toString('base64url');
      const account = await addAccount(instance.databaseUrl, {
        email: values.get('email'),
        password,
        plan: values.find('plan'),
        timezone: values.find('timezone'),
      });
      return { ...account, ...(given === undefined && { password }) };
    },
  },
  {
    name: 'account update',
    summary: 'Change address, plan, time zone, status or password',
    options: {
      email: emailOption,
      'new-email': { value: 'E', description: 'another address: takes effect at once, and no mail is sent' },
      plan: planOption,
      timezone: timezoneOption,
      status: { value: 'active|suspended', description: 'a suspended account can be read, not changed' },
      password: { value: '-', description: passwordRule },
      'revoke-tokens': { description: 'revoke the personal tokens, too' },
    },
    example: 'account update --email ada@example.com --status suspended',
    exampleAnswer: exampleAnswer.replace('active', 'suspended'),
    async run(values, instance) {
      const changes = {
        newEmail: values.find('new-email'),
        plan: values.find('plan'),
        timezone: values.find('timezone'),
        status: values.find('status'),
        password: await readPassword(values.find('password'), instance),
        revokeApiTokens: values.has('revoke-tokens') || undefined,
      };
      if (Object.values(changes).every((value) => value === undefined)) {
        throw new UsageError(
          'nothing to change: give --new-email, --plan, --timezone, --status, --password or --revoke-tokens',
        );
      }
      const { changeAccount } = await import('#auth-server/admin/account-admin.ts');
      return changeAccount(instance.stores, values.get('email'), changes);
    },
  },
  {
    name: 'account delete',
    summary:
      'Delete an account: everything stops at once, data are erased after ' +
      'ACCOUNT_DELETION_DAYS unless its owner signs in before',
    options: {
      email: emailOption,
      now: {
        description:
          'erase the data now, or within minutes if the answer has isErased false; ' +
          'nothing brings the account back',
      },
    },
    example: 'account delete --email ada@example.com',
    exampleAnswer: '{"accountId":"5f0c…","eraseAfter":"2026-12-08T08:00:00.000Z"}',
    async run(values, { stores, environment }) {
      const admin = await import('#auth-server/admin/account-admin.ts');
      const isNow = values.has('now');
      const asked = await admin.deleteAccount(stores, values.get('email'), { environment, isNow });
      if (!isNow) return asked;
      const { accountId } = asked;
      const { eraseRows } = await import('#resource-api/admin/data-admin.ts');
      await admin.beginErasure(stores, accountId);
      // A login of auth-server alone may not: the services erase the rest.
      await eraseRows(stores.databaseUrl, accountId).catch((error: unknown) => {
        if (codeOf(error) !== insufficientPrivilege) throw error;
      });
      return { accountId, isErased: await admin.finishErasure(stores, accountId) };
    },
  },
  lockCommand('lock', 'Cut an account off: no sign-in, no app, no token; its data stay'),
  lockCommand('unlock', 'Let the owner sign in again; tokens and apps do not come back'),
  {
    name: 'account reset-link',
    summary:
      'Make a link with which the owner chooses a new password, once, within half an hour; ' +
      'also of a locked account',
    options: { email: emailOption },
    example: 'account reset-link --email ada@example.com',
    exampleAnswer: '{"accountId":"5f0c…","url":"https://tasks.example.com/sign-in/reset?link=…"}',
    async run(values, { databaseUrl, baseUrl }) {
      const { makeResetLink } = await import('#auth-server/admin/account-admin.ts');
      return makeResetLink(databaseUrl, values.get('email'), baseUrl());
    },
  },
  {
    name: 'account reset-second-factor',
    summary:
      'Remove passkeys, authenticator app and recovery codes of an owner who lost them; make sure who asks',
    options: { email: emailOption },
    example: 'account reset-second-factor --email ada@example.com',
    exampleAnswer: '{"accountId":"5f0c…","removed":true}',
    async run(values, { stores }) {
      const { removeSecondFactors } = await import('#auth-server/admin/account-admin.ts');
      return removeSecondFactors(stores, values.get('email'));
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
