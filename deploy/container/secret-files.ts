import { readFileSync } from 'node:fs';
import { ConfigError, type Environment } from '#shared/config/read-env.ts';

/** Variables with secrets: each may be given as NAME_FILE, the path of a file with the value. */
export const secretVariables = [
  'DATABASE_URL',
  'REDIS_URL',
  'KEY_ENCRYPTION_SECRET',
  'SMTP_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/**
 * Reads the secrets' files, by variable; surrounding white space is removed. Throws a ConfigError that lists
 * every error: both forms given, an unreadable file, an empty one.
 */
export function readSecretFiles(env: Environment): Record<string, string> {
  const faults: string[] = [];
  const values: Record<string, string> = {};
  for (const name of secretVariables) {
    const file = env[`${name}_FILE`]?.trim();
    if (!file) continue;
    const value = readValue(file);
    if (env[name]?.trim()) faults.push(`${name} and ${name}_FILE must not both be set`);
    else if (typeof value === 'object') faults.push(`${name}_FILE: ${file} can't be read (${value.code})`);
    else if (value === '') faults.push(`${name}_FILE: ${file} is empty`);
    else values[name] = value;
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return values;
}

function readValue(file: string): string | { code: string } {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    return { code: error instanceof Error && 'code' in error ? String(error.code) : 'unknown' };
  }
}
