import type { MikroORM } from '@mikro-orm/postgresql';
import { createOrm } from '#shared/database/connect-orm.ts';
import { type Database, type DatabaseOptions, openDatabase } from '#shared/database/database.ts';
import { AccountEntity } from '../accounts/account-entity.ts';
import { ApiTokenEntity } from '../api-tokens/api-token-entity.ts';
import { AuditEventEntity } from '../audit/audit-event-entity.ts';
import { BrowserSessionEntity } from '../browser/browser-session-entity.ts';
import { authServerRole } from './roles.ts';

export function openAuthDatabase(options: Omit<DatabaseOptions, 'role'>): Database {
  return openDatabase({ ...options, role: authServerRole });
}

/** Closing it closes the connections of `database`. */
export function connectAuthOrm(database: Database, url: string): MikroORM {
  const entities = [AccountEntity, ApiTokenEntity, AuditEventEntity, BrowserSessionEntity];
  return createOrm(database, url, entities);
}

/** For a program that needs nothing else of the database. Closing it closes the connections. */
export function connectAuthDatabase(options: Omit<DatabaseOptions, 'role'>): MikroORM {
  return connectAuthOrm(openAuthDatabase(options), options.url);
}
