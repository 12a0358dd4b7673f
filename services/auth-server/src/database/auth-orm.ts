import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '#shared/database/connect-orm.ts';
import { type DatabaseOptions, openDatabase } from '#shared/database/database.ts';
import { AccountEntity } from '../accounts/account-entity.ts';
import { ApiTokenEntity } from '../api-tokens/api-token-entity.ts';
import { AuditEventEntity } from '../audit/audit-event-entity.ts';
import { BrowserSessionEntity } from '../browser/browser-session-entity.ts';
import { authServerRole } from './roles.ts';

/** Closing it closes the connections. */
export function connectAuthDatabase(options: Omit<DatabaseOptions, 'role'>): MikroORM {
  const database = openDatabase({ ...options, role: authServerRole });
  const entities = [AccountEntity, ApiTokenEntity, AuditEventEntity, BrowserSessionEntity];
  return createOrm(database, options.url, entities);
}
