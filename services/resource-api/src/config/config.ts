import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { readServiceEnv, type ServiceEnv } from '#shared/config/service-env.ts';
import type { NotesRendererOptions } from '../notes/notes-renderer.ts';

export type Config = ServiceEnv & {
  requestsPerTokenPerMinute: number;
  requestsPerAddressPerMinute: number;
  notes: Pick<NotesRendererOptions, 'workers' | 'timeoutMilliseconds'>;
};

/** Throws a ConfigError that lists every fault. */
export function readConfig(env: Environment): Config {
  const reader = createEnvReader(env);
  const config = {
    ...readServiceEnv(reader),
    requestsPerTokenPerMinute: 120,
    requestsPerAddressPerMinute: 600,
    notes: {
      workers: reader.integer('NOTES_WORKERS', { fallback: 1, min: 1, max: 32 }),
      timeoutMilliseconds: reader.integer('NOTES_TIMEOUT_MILLISECONDS', {
        fallback: 2_000,
        min: 50,
        max: 10_000,
      }),
    },
  };
  reader.finish();
  return config;
}
