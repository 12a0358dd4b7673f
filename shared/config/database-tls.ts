import type { EnvReader } from './read-env.ts';

/**
 * Judges PGSSLMODE, which the driver reads by itself: at any word that it does not know it connects in the clear.
 * Words that promise less than a check of the certificate (`require`, `prefer`) are left out, because what the
 * driver makes of them is not what PostgreSQL's own tools do.
 */
export function checkDatabaseTls(reader: EnvReader): void {
  reader.exactChoice('PGSSLMODE', ['disable', 'no-verify', 'verify-full'], 'disable');
}
