import { authMigrations } from '#auth-server/database/migrations.ts';
import { authServerRole, ensureRoles, resourceApiRole } from '#auth-server/database/roles.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import { migrate } from '#shared/database/migrate.ts';

/** In order: the grants of `tasks` are to roles that `auth` brings, and its functions read views of `auth`. */
const plans = [
  { schema: 'auth', migrations: authMigrations, role: authServerRole },
  { schema: 'tasks', migrations: taskMigrations, role: resourceApiRole },
];

/**
 * Brings the database up to date. `url`: a login that may create schemas, and roles unless they are there.
 * Returns what was applied, as `schema/migration`.
 */
export async function migrateDatabase(url: string): Promise<string[]> {
  await ensureRoles(url);
  const applied: string[] = [];
  for (const plan of plans) {
    const names = await migrate({ url, ...plan });
    applied.push(...names.map((name) => `${plan.schema}/${name}`));
  }
  return applied;
}
