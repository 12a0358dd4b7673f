import type { Guard } from './guard.ts';

const linkUse = `    const { rows } =
      await sql\`delete from auth.password_reset where token_hash = \${hashLinkSecret(secret)} returning 1\`.execute(
        em.getKysely(),
      );
    if (rows.length === 0) return undefined;
    await sql\`delete from auth.password_reset where account_id = \${account.id}\`.execute(em.getKysely());
`;

export const accountGuards: readonly Guard[] = [
  {
    promise: 'isolation: a task is found in its own account alone',
    file: 'services/resource-api/src/tasks/task-repository.ts',
    from: 'tasks.task where account_id = $1 and id = $2',
    to: 'tasks.task where $1::uuid is not null and id = $2',
    test: 'tests/api/matrix/isolation.test.ts',
  },
  {
    promise: 'isolation: a task goes into projects of its own account alone',
    file: 'services/resource-api/src/tasks/task-repository.ts',
    from: '  where account_id = $1 and id = $2',
    to: '  where $1::uuid is not null and id = $2',
    test: 'tests/api/matrix/isolation.test.ts',
  },
  {
    promise: 'isolation: a project is found in its own account alone',
    file: 'services/resource-api/src/projects/project-repository.ts',
    from: 'where account_id = $1 and id = $2`',
    to: 'where $1::uuid is not null and id = $2`',
    test: 'tests/api/matrix/isolation.test.ts',
  },
  {
    promise: 'isolation: a list of projects holds those of its account alone',
    file: 'services/resource-api/src/projects/project-repository.ts',
    from: "['account_id = $1', 'trashed_at is null']",
    to: "['$1::uuid is not null', 'trashed_at is null']",
    test: 'tests/api/matrix/isolation.test.ts',
  },
  {
    promise: 'isolation: an area is found in its own account alone',
    file: 'services/resource-api/src/areas/area-repository.ts',
    from: 'tasks.area where account_id = $1 and id = $2',
    to: 'tasks.area where $1::uuid is not null and id = $2',
    test: 'tests/api/matrix/isolation.test.ts',
  },
  {
    promise: 'isolation: a list of browsers holds those of its account alone',
    file: 'services/auth-server/src/browser/browser-session-service.ts',
    from: '{ accountId, expiresAt: { $gt',
    to: '{ expiresAt: { $gt',
    test: 'tests/settings/form-guards.test.ts',
  },
  {
    promise: 'isolation: a personal token is revoked by its own account alone',
    file: 'services/auth-server/src/api-tokens/api-token-service.ts',
    from: 'accountId !== undefined && token.accountId !== accountId',
    to: 'false',
    test: 'tests/settings/form-guards.test.ts',
  },
  {
    promise: 'isolation: an app is disconnected by its own account alone',
    file: 'services/auth-server/src/connected-apps/connected-app-service.ts',
    from: 'accountId !== undefined && grant.accountId !== accountId',
    to: 'false',
    test: 'tests/settings/form-guards.test.ts',
  },
  {
    promise: 'password reset: a link is good for one use',
    file: 'services/auth-server/src/accounts/password-reset-service.ts',
    from: linkUse,
    to: '',
    test: 'tests/mail/password-reset.test.ts',
  },
  {
    promise: 'password reset: a used link ends the others of its account',
    file: 'services/auth-server/src/accounts/password-reset-service.ts',
    from: '    await sql`delete from auth.password_reset where account_id = ${account.id}`.execute(em.getKysely());\n',
    to: '',
    test: 'tests/mail/password-reset.test.ts',
  },
  {
    promise: 'addresses: another password cancels a change that was asked for',
    file: 'services/auth-server/src/accounts/address-change-service.ts',
    from: 'if (account.credentialVersion !== credentialVersion) return',
    to: 'if (Date.now() < 0) return',
    test: 'tests/mail/addresses.test.ts',
  },
  {
    promise: 'addresses: one that can be taken back is nobody else’s',
    file: 'services/auth-server/src/accounts/account-address.ts',
    from: 'if (rows.length > 0) throw',
    to: 'if (Date.now() < 0) throw',
    test: 'tests/mail/addresses.test.ts',
  },
  {
    promise: 'addresses: who takes one back ends every session',
    file: 'services/auth-server/src/accounts/address-change-service.ts',
    from: '    await deleteBrowserSessions(em, account.id);\n',
    to: '',
    test: 'tests/mail/addresses.test.ts',
  },
  {
    promise: 'account lock: a locked account gets no session',
    file: 'services/auth-server/src/sign-in/sign-in-service.ts',
    from: 'if (locked.lockedAt !== null) return',
    to: 'if (Date.now() < 0) return',
    test: 'tests/admin/account-lock.test.ts',
  },
  {
    promise: 'account lock: sessions end',
    file: 'services/auth-server/src/accounts/account-service.ts',
    from: '      await deleteBrowserSessions(within.em, accountId);\n',
    to: '',
    test: 'tests/admin/account-lock.test.ts',
  },
  {
    promise: 'account lock: connected apps end',
    file: 'services/auth-server/src/accounts/account-service.ts',
    from: '      await disconnectAllApps(within, accountId);\n',
    to: '',
    test: 'tests/admin/account-lock.test.ts',
  },
  {
    promise: 'account lock: personal tokens end',
    file: 'services/auth-server/src/accounts/account-service.ts',
    from: '      await revokeAllApiTokens(within, accountId);\n',
    to: '',
    test: 'tests/admin/account-lock.test.ts',
  },
];
