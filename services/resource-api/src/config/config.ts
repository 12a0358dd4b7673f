import { createEnvReader, type Environment, type EnvReader } from '#shared/config/read-env.ts';
import { readServiceEnv } from '#shared/config/service-env.ts';
import { apiLimits } from '#shared/rate-limit/api-limits.ts';
import type { NotesRendererOptions } from '../notes/notes-renderer.ts';

export type Config = ReturnType<typeof readConfig>;

type NotesLimits = Pick<NotesRendererOptions, 'workers' | 'timeoutMilliseconds'>;

/** Throws a ConfigError that lists every configuration error. */
export function readConfig(env: Environment) {
  const reader = createEnvReader(env);
  const config = {
    ...readServiceEnv(reader),
    ...apiLimits,
    /** Of the web app, by browser session. */
    requestsPerSessionPerMinute: 600,
    notes: readNotesLimits(reader),
  };
  reader.finish();
  return config;
}

export function readNotesLimits(reader: EnvReader): NotesLimits {
  return {
    workers: reader.integer('NOTES_WORKERS', { fallback: 1, min: 1, max: 32 }),
    timeoutMilliseconds: reader.integer('NOTES_TIMEOUT_MILLISECONDS', {
      fallback: 2_000,
      min: 50,
      max: 10_000,
    }),
  };
}
