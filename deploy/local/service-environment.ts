import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';

/** Settings that only auth-server gets. */
const ofAuthServerAlone = [
  'KEY_ENCRYPTION_SECRET',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_DIRECTORY',
  'WEB_APP_DIRECTORY',
];

/** The environment of a service, without secrets of the other one, of npm and of the operator's command. */
export function environmentOf(service: ServiceName, shared: Environment, databaseUrl: string): Environment {
  const withheld = [...(service === 'auth-server' ? [] : ofAuthServerAlone), 'DATA_DIR', 'INIT_CWD'];
  const kept = Object.entries(shared).filter(
    ([name]) => !withheld.includes(name) && !name.startsWith('npm_'),
  );
  return { ...Object.fromEntries(kept), DATABASE_URL: databaseUrl };
}
