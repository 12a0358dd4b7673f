import { scopes } from '#shared/scopes.ts';
import { emailOption } from './account-commands.ts';
import type { Command } from './command.ts';

const exampleToken =
  '{"tokenId":"1b9d…","name":"backup script","scopes":["read"],"expiresAt":"2027-01-01T00:00:00.000Z"}';

export const tokenCommands: readonly Command[] = [
  {
    name: 'token create',
    summary: 'Create a personal token; its secret is shown once',
    options: {
      email: emailOption,
      name: { value: 'N', description: 'what the token is for, 1 to 200 characters', isRequired: true },
      scopes: { value: scopes.join(','), description: 'one or more, with commas', isRequired: true },
      'expires-at': { value: 'TIME', description: 'RFC 3339, in the future (default: never)' },
    },
    example:
      'token create --email ada@example.com --name "backup script" ' +
      '--scopes read --expires-at 2027-01-01T00:00:00Z',
    exampleAnswer: exampleToken.replace('}', ',"secret":"tms_…"}'),
    async run(values, { databaseUrl }) {
      const { addToken } = await import('#auth-server/admin/token-admin.ts');
      return addToken(databaseUrl, values.get('email'), {
        name: values.get('name'),
        scopes: [...new Set(values.get('scopes').split(','))],
        expiresAt: values.find('expires-at'),
      });
    },
  },
  {
    name: 'token list',
    summary: 'List an account’s personal tokens, revoked ones left out',
    options: { email: emailOption },
    example: 'token list --email ada@example.com',
    exampleAnswer: `[${exampleToken}]`,
    async run(values, { databaseUrl }) {
      const { listTokens } = await import('#auth-server/admin/token-admin.ts');
      return listTokens(databaseUrl, values.get('email'));
    },
  },
  {
    name: 'token revoke',
    summary: 'Revoke a personal token; the next request with it is refused',
    options: {
      'token-id': { value: 'ID', description: 'from token create or token list', isRequired: true },
    },
    example: 'token revoke --token-id 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed',
    exampleAnswer: exampleToken,
    async run(values, { stores }) {
      const { revokeToken } = await import('#auth-server/admin/token-admin.ts');
      return revokeToken(stores, values.get('token-id'));
    },
  },
];
