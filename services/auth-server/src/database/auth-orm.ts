import { createOrm } from '#shared/database/connect-orm.ts';
import { type DatabaseOptions, openDatabase } from '#shared/database/database.ts';
import { AccountEntity } from '../accounts/account-entity.ts';
import { ApiTokenEntity } from '../api-tokens/api-token-entity.ts';
import { AuditEventEntity } from '../audit/audit-event-entity.ts';
import { BrowserSessionEntity } from '../browser/browser-session-entity.ts';
import { authServerRole } from './roles.ts';

/** Closing `orm` closes the connections of `database`. */
export function openAuthDatabase(options: Omit<DatabaseOptions, 'role'>) {
  const database = openDatabase({ ...options, role: authServerRole });
  const entities = [AccountEntity, ApiTokenEntity, AuditEventEntity, BrowserSessionEntity];
  return { database, orm: createOrm(database, options.url, entities) };
}
