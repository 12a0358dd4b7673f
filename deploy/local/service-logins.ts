import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { ServiceName } from '#shared/http/path-ownership.ts';

const roles: Readonly<Record<ServiceName, string>> = {
  'auth-server': 'auth_server',
  'resource-api': 'resource_api',
};

/**
 * Creates a login per service in the embedded cluster, with the rights of its role, which the migration has
 * created. Passwords change with every start. Returns the URLs.
 */
export async function createServiceLogins(superuserUrl: string): Promise<Record<ServiceName, string>> {
  const client = new pg.Client(superuserUrl);
  await client.connect();
  const { database } = client;
  const makeLogin = async (service: ServiceName): Promise<string> => {
    const [role, password] = [roles[service], randomBytes(24).toString('base64url')];
    const login = `${role}_login`;
    const { rowCount } = await client.query('select from pg_roles where rolname = $1', [login]);
    if (rowCount === 0) await client.query(`create role ${login} in role ${role}`);
    await client.query(`alter role ${login} login password ${client.escapeLiteral(password)}`);
    return Object.assign(new URL(superuserUrl), { username: login, password }).href;
  };
  try {
    await client.query(`revoke all on database ${client.escapeIdentifier(database ?? '')} from public`);
    await client.query(`grant connect on database ${client.escapeIdentifier(database ?? '')}
      to ${Object.values(roles).join(', ')}`);
    return {
      'auth-server': await makeLogin('auth-server'),
      'resource-api': await makeLogin('resource-api'),
    };
  } finally {
    await client.end();
  }
}
