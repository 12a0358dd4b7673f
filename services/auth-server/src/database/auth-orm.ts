import { connectOrm, type DatabaseOptions } from '#shared/database/connect-orm.ts';
import { AccountEntity } from '../accounts/account-entity.ts';
import { ApiTokenEntity } from '../api-tokens/api-token-entity.ts';
import { AuditEventEntity } from '../audit/audit-event-entity.ts';
import { BrowserSessionEntity } from '../browser/browser-session-entity.ts';
import { authServerRole } from './roles.ts';

export function connectAuthDatabase(options: Omit<DatabaseOptions, 'role' | 'entities'>) {
  return connectOrm({
    ...options,
    role: authServerRole,
    entities: [AccountEntity, ApiTokenEntity, AuditEventEntity, BrowserSessionEntity],
  });
}
