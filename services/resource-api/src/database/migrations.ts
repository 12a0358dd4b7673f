import { readMigrations } from '#shared/database/migrate.ts';

export const taskMigrations = await readMigrations(new URL('./migrations/', import.meta.url));
