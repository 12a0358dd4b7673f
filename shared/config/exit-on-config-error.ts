import { ConfigError } from './config-error.ts';

/** For programs: faults of the environment are told to whoever set it, without a stack, and end the process with 1. */
export function exitOnConfigError<Config>(read: () => Config): Config {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}
