import { authMigrations } from '#auth-server/database/migrations.ts';
import { authServerRole, ensureRoles, resourceApiRole } from '#auth-server/database/roles.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import { migrate } from '#shared/database/migrate.ts';
import { keepTrying, noPatience, type Patience } from './keep-trying.ts';

/** In order: the grants of `tasks` are to roles that `auth` brings, and its functions read views of `auth`. */
const plans = [
  { schema: 'auth', migrations: authMigrations, role: authServerRole },
  { schema: 'tasks', migrations: taskMigrations, role: resourceApiRole },
];

/**
 * Brings the database up to date. `url`: a login that may create schemas, and roles unless they are there.
 * `patience`: with a server that is away, and with whoever holds what has to be locked.
 * Returns what was applied, as `schema/migration`.
 */
export async function migrateDatabase(url: string, patience: Patience = noPatience): Promise<string[]> {
  await keepTrying(() => ensureRoles(url), patience);
  const applied: string[] = [];
  for (const plan of plans) {
    const names = await keepTrying(() => migrate({ url, ...plan }), patience);
    applied.push(...names.map((name) => `${plan.schema}/${name}`));
  }
  return applied;
}
