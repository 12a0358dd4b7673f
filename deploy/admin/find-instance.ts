import { type RunningInstance, readRunningInstance } from '#local/running-instance.ts';
import { databaseUrl } from '#shared/config/url-rules.ts';
import type { Instance } from './command.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What DATABASE_URL and KEY_ENCRYPTION_SECRET name, else the instance that runs in DATA_DIR. Throws an Error. */
export function findInstance(env: Environment): Instance {
  const given = (name: string) => env[name]?.trim() || undefined;
  const dataDirectory = given('DATA_DIR') ?? '.data';
  const running = readRunningInstance(dataDirectory);
  return {
    databaseUrl: checked(given('DATABASE_URL')) ?? requireRunning(running, dataDirectory).databaseUrl,
    keyEncryptionSecret() {
      const secret = given('KEY_ENCRYPTION_SECRET') ?? running?.keyEncryptionSecret;
      if (secret === undefined)
        throw new Error('KEY_ENCRYPTION_SECRET must be set, to the one of the services');
      return secret;
    },
  };
}

function checked(url: string | undefined): string | undefined {
  const fault = url === undefined ? undefined : databaseUrl(url);
  if (fault !== undefined) throw new Error(`DATABASE_URL ${fault}`);
  return url;
}

function requireRunning(running: RunningInstance | undefined, dataDirectory: string): RunningInstance {
  if (running !== undefined) return running;
  throw new Error(
    `no running instance found in DATA_DIR (${dataDirectory}); start it with npm start or set DATABASE_URL`,
  );
}
