import type { MigrationList } from '#shared/database/migrate.ts';
import { Migration0001Accounts } from './migrations/migration-0001-accounts.ts';
import { Migration0002Oauth } from './migrations/migration-0002-oauth.ts';
import { Migration0003SessionAccess } from './migrations/migration-0003-session-access.ts';
import { Migration0004PrincipalChanges } from './migrations/migration-0004-principal-changes.ts';
import { Migration0005ScopeChecks } from './migrations/migration-0005-scope-checks.ts';
import { Migration0006PasswordReset } from './migrations/migration-0006-password-reset.ts';
import { Migration0007AccountLock } from './migrations/migration-0007-account-lock.ts';
import { Migration0008RefreshFamilies } from './migrations/migration-0008-refresh-families.ts';
import { Migration0009ConfirmedSessions } from './migrations/migration-0009-confirmed-sessions.ts';
import { Migration0010Addresses } from './migrations/migration-0010-addresses.ts';
import { Migration0011AccountErasure } from './migrations/migration-0011-account-erasure.ts';
import { Migration0013Reminders } from './migrations/migration-0013-reminders.ts';
import { Migration0019SecondFactors } from './migrations/migration-0019-second-factors.ts';
import { Migration0021ExportPermits } from './migrations/migration-0021-export-permits.ts';
import { Migration0022ClientLogos } from './migrations/migration-0022-client-logos.ts';
import { Migration0023RecoveryCodeTimes } from './migrations/migration-0023-recovery-code-times.ts';

/** In order; a migration that has been released never changes. */
export const authMigrations: MigrationList = [
  { name: '0001-accounts', class: Migration0001Accounts },
  { name: '0002-oauth', class: Migration0002Oauth },
  { name: '0003-session-access', class: Migration0003SessionAccess },
  { name: '0004-principal-changes', class: Migration0004PrincipalChanges },
  { name: '0005-scope-checks', class: Migration0005ScopeChecks },
  { name: '0006-password-reset', class: Migration0006PasswordReset },
  { name: '0007-account-lock', class: Migration0007AccountLock },
  { name: '0008-refresh-families', class: Migration0008RefreshFamilies },
  { name: '0009-confirmed-sessions', class: Migration0009ConfirmedSessions },
  { name: '0010-addresses', class: Migration0010Addresses },
  { name: '0011-account-erasure', class: Migration0011AccountErasure },
  { name: '0013-reminders', class: Migration0013Reminders },
  { name: '0019-second-factors', class: Migration0019SecondFactors },
  { name: '0021-export-permits', class: Migration0021ExportPermits },
  { name: '0022-client-logos', class: Migration0022ClientLogos },
  { name: '0023-recovery-code-times', class: Migration0023RecoveryCodeTimes },
];
