import { randomUUID } from 'node:crypto';
import { whileLocked } from '#tests/oauth/while-locked.ts';
import type { Visit } from '#tests/pages/visitors.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { nowOf, type Stack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';

/** Another browser of the same owner. */
export async function furtherBrowser(
  stack: Stack,
  { person }: Pick<Visit, 'person'>,
  userAgent?: string,
): Promise<PageBrowser> {
  const browser = createPageBrowser(stack.baseUrl, { userAgent });
  await browser.signIn(person);
  return browser;
}

/** Sends a request that adds to an account, and ends its sessions meanwhile, as a new password does. */
export async function whileSignedOut<Answer>(
  stack: Stack,
  { accountId }: Pick<TestAccount, 'accountId'>,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const statement = `with ended as (delete from auth.browser_session where account_id = $1)
    select from auth.account where id = $1 for no key update`;
  const held = { table: 'account', statement, values: [accountId], end: 'commit' } as const;
  const sent = Promise.withResolvers<Answer>();
  await whileLocked(stack, held, () => {
    const sending = send();
    sent.resolve(sending);
    return [sending];
  });
  return sent.promise;
}

type TestGrant = { appId: string; clientId: string };

/** A connected app, as the end of an authorization leaves it. */
export async function connectApp(
  stack: Stack,
  { accountId }: TestAccount,
  { name = 'Test app', scopes = 'read,write', clientId = `client-${randomUUID()}` } = {},
): Promise<TestGrant> {
  const appId = randomUUID();
  const { sql } = stack;
  const now = nowOf(stack);
  const end = new Date(now.getTime() + 86_400_000);
  await sql`insert into auth.oauth_grant
    (id, account_id, client_id, client_name, scopes, created_at, last_used_at, expires_at)
    values (${appId}, ${accountId}, ${clientId}, ${name}, string_to_array(${scopes}, ','), ${now},
      ${now}, ${end})`;
  await sql`insert into auth.oauth_token (token_hash, kind, grant_id, payload, expires_at)
    values (sha256(${appId}::bytea), 'refresh_token', ${appId}, '{}', ${end})`;
  return { appId, clientId };
}

type TrailEntry = {
  event: string;
  actor: string;
  subjectId: string | null;
  subjectName: string | null;
};

/** What the account's trail holds since it was signed in to, oldest first. */
export async function trailOf(
  { sql }: Stack,
  { accountId }: Pick<TestAccount, 'accountId'>,
): Promise<TrailEntry[]> {
  const rows =
    await sql<TrailEntry>`select event, actor, subject_id as "subjectId", subject_name as "subjectName"
    from auth.audit_event where account_id = ${accountId} order by sequence`;
  return rows.filter(({ event }) => event !== 'signed_in');
}
