import type { MigrationList } from '#shared/database/migrate.ts';
import { Migration0001Tasks } from './migrations/migration-0001-tasks.ts';
import { Migration0002TokenUse } from './migrations/migration-0002-token-use.ts';

/** In order; a migration that has been released never changes. */
export const taskMigrations: MigrationList = [
  { name: '0001-tasks', class: Migration0001Tasks },
  { name: '0002-token-use', class: Migration0002TokenUse },
];
