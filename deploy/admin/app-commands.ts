import { emailOption } from './account-commands.ts';
import type { Command } from './command.ts';

const exampleApp =
  '{"appId":"6ecd…","clientId":"app_Xk3…","name":"Claude","scopes":["read","write"],' +
  '"createdAt":"2026-11-01T09:00:00.000Z","lastUsedAt":"2026-11-21T08:00:00.000Z"}';

export const appCommands: readonly Command[] = [
  {
    name: 'app list',
    summary: 'List the apps that an account has connected',
    options: { email: emailOption },
    example: 'app list --email ada@example.com',
    exampleAnswer: `[${exampleApp}]`,
    async run(values, { databaseUrl }) {
      const { listApps } = await import('#auth-server/admin/app-admin.ts');
      return listApps(databaseUrl, values.get('email'));
    },
  },
  {
    name: 'app disconnect',
    summary: 'Disconnect an app; its next request is refused',
    options: { 'app-id': { value: 'ID', description: 'from app list', isRequired: true } },
    example: 'app disconnect --app-id 6ecd8c99-4036-403d-bf84-cf8400f67836',
    exampleAnswer: exampleApp,
    async run(values, { stores }) {
      const { endApp } = await import('#auth-server/admin/app-admin.ts');
      return endApp(stores, values.get('app-id'));
    },
  },
];
