import { emailOption } from './account-commands.ts';
import type { Command } from './command.ts';

const exampleSession =
  '{"sessionId":"7c2a…","browser":"Firefox on Linux","address":"192.0.2.7",' +
  '"createdAt":"2026-11-20T08:15:30.123Z","lastSeenAt":"2026-11-24T07:02:11.004Z",' +
  '"expiresAt":"2026-12-08T07:02:11.004Z"}';

export const sessionCommands: readonly Command[] = [
  {
    name: 'session list',
    summary: 'List the browsers that are signed in to an account',
    options: { email: emailOption },
    example: 'session list --email ada@example.com',
    exampleAnswer: `[${exampleSession}]`,
    async run(values, { databaseUrl }) {
      const { listSessions } = await import('#auth-server/admin/session-admin.ts');
      return listSessions(databaseUrl, values.get('email'));
    },
  },
  {
    name: 'session end',
    summary: 'Sign a browser out',
    options: {
      email: emailOption,
      'session-id': { value: 'ID', description: 'from session list', isRequired: true },
    },
    example: 'session end --email ada@example.com --session-id 7c2a9d1e-6b0f-4c39-9a53-0b8b1a6d1c11',
    exampleAnswer: exampleSession,
    async run(values, { stores }) {
      const { endSession } = await import('#auth-server/admin/session-admin.ts');
      return endSession(stores, values.get('email'), values.get('session-id'));
    },
  },
];
