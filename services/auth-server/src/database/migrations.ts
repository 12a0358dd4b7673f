import { readMigrations } from '#shared/database/migrate.ts';

export const authMigrations = await readMigrations(new URL('./migrations/', import.meta.url));
