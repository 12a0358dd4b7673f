import path from 'node:path';
import { appPath } from '#shared/app/app-protocol.ts';
import { scopes } from '#shared/scopes.ts';
import { type FirstAccount, localAccountEmail } from './first-start.ts';

type SummaryFacts = {
  baseUrl: string;
  apiRoot: string;
  dataDirectory: string;
  database: string;
  redis: string;
  seconds: number;
};

/** Default of the operator's command, which npm runs in the project's folder. */
const defaultDataDirectory = path.resolve(import.meta.dirname, '../../.data');

const newToken = `npm run --silent admin -- token create --email ${localAccountEmail} --name NAME`;

/** The addresses and commands to show after the start. */
export function summary(facts: SummaryFacts): string {
  return `
Ready after ${facts.seconds.toFixed(1)} s: ${facts.baseUrl}

  The app    ${facts.baseUrl}${appPath}/
  API docs   ${facts.apiRoot}/docs
  New token  ${settingFor(facts.dataDirectory)}${newToken} --scopes ${scopes.join(',')}
  Data       ${facts.dataDirectory}
  Database   ${facts.database}
  Redis      ${facts.redis}

Ctrl-C stops it.`;
}

/** The environment for a command in another terminal, for a POSIX shell. */
function settingFor(dataDirectory: string): string {
  if (dataDirectory === defaultDataDirectory) return '';
  return `DATA_DIR='${dataDirectory.replaceAll("'", "'\\''")}' `;
}

/** The account created by the first start; its secrets are shown only now. */
export function firstAccountNotice(
  { email, password, token }: FirstAccount,
  { baseUrl, apiRoot }: Pick<SummaryFacts, 'baseUrl' | 'apiRoot'>,
): string {
  return `
An account was made for you; sign in with it at ${baseUrl}${appPath}/
Its secrets are shown only this once:

  E-mail     ${email}
  Password   ${password}
  API token  ${token}

Choose a password of your own under ${baseUrl}/settings.

Try it:

  curl -s '${apiRoot}/tasks?view=today' -H 'Authorization: Bearer ${token}'`;
}
