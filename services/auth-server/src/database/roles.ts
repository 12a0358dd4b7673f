import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { codeOf, insufficientPrivilege } from '#shared/errors/error-code.ts';

export const authServerRole = 'auth_server';
export const resourceApiRole = 'resource_api';
const roles = [authServerRole, resourceApiRole];

/** Roles belong to the whole cluster: migrations of its other databases may be making the same ones now. */
const concurrentChange = new Set(['42710', '23505', 'XX000', '40P01']);
const maximumTries = 20;

/**
 * Makes the services' roles, which cannot log in, and lets the login of `url` take them on. What is already
 * so is left alone, so a login without the right to make roles can migrate once they are there. Throws an
 * Error that names the SQL to run when that right is missing.
 */
export async function ensureRoles(url: string): Promise<void> {
  const client = new pg.Client(url);
  // Without a listener an error event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (const role of roles) await ensureRole(client, role);
  } finally {
    await client.end();
  }
}

async function ensureRole(client: pg.Client, role: string): Promise<void> {
  for (let turn = 1; ; turn += 1) {
    try {
      await client.query(ensureRoleSql(role));
      return;
    } catch (error) {
      const code = codeOf(error);
      if (code === insufficientPrivilege) throw await missingRight(client);
      if (!concurrentChange.has(code) || turn === maximumTries) throw error;
      await delay(10 * turn);
    }
  }
}

/** Taking on the role is the only test with one meaning: since version 16, membership is not enough. */
function ensureRoleSql(role: string): string {
  return `do $$
    begin
      if not exists (select from pg_roles where rolname = '${role}') then
        create role ${role} nologin;
      end if;
      begin
        set local role ${role};
        reset role;
      exception when insufficient_privilege then
        execute format('grant ${role} to %I', current_user);
      end;
    end $$`;
}

async function missingRight(client: pg.Client): Promise<Error> {
  const { rows } = await client.query<{ login: string; present: string[] }>(
    'select quote_ident(current_user) as login, array(select rolname::text from pg_roles) as present',
  );
  const [found] = rows;
  const missing = roles.filter((role) => !found?.present.includes(role));
  const sql = [
    ...missing.map((role) => `create role ${role} nologin;`),
    `grant ${roles.join(', ')} to ${found?.login};`,
  ];
  return new Error(
    'the login of the database may not create or grant roles; ' +
      `let an administrator run this first: ${sql.join(' ')}`,
  );
}
