import { randomUUID } from 'node:crypto';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import type { Stack } from '#tests/support/stack.ts';
import type { AccountOptions } from '#tests/support/test-accounts.ts';

export type Person = { accountId: string; email: string; password: string };
export type Visit = { browser: PageBrowser; person: Person };

const usualPassword = 'seven quiet harbours';

/** Somebody with an account and a password. */
export async function newPerson(
  stack: Stack,
  { password = usualPassword, ...options }: AccountOptions = {},
): Promise<Person> {
  return { ...(await stack.createAccount({ password, ...options })), password };
}

/** Somebody new in a browser of their own, signed in. */
export async function newVisit(stack: Stack, options: AccountOptions = {}): Promise<Visit> {
  const person = await newPerson(stack, options);
  const browser = createPageBrowser(stack.baseUrl);
  await browser.signIn(person);
  return { browser, person };
}

/** What /sign-up takes, for an address that nobody has. */
export function newcomer(): { email: string; password: string } {
  return { email: `${randomUUID()}@example.com`, password: usualPassword };
}

export async function isSignedIn(browser: PageBrowser): Promise<boolean> {
  const page = await browser.get('/sign-in');
  return page.status === 303;
}

export function sessionsOf(stack: Stack, { accountId }: Pick<Person, 'accountId'>) {
  return stack.sql<{
    id: string;
    address: string;
    user_agent: string;
    last_seen_at: string;
    expires_at: string;
  }>`select id, address, user_agent, last_seen_at, expires_at from auth.browser_session
     where account_id = ${accountId} order by created_at, id`;
}

export async function auditEvents(stack: Stack, { accountId }: Pick<Person, 'accountId'>) {
  return stack.sql<{ event: string; actor: string; address: string; user_agent: string }>`
    select event, actor, address, user_agent from auth.audit_event
    where account_id = ${accountId} order by sequence`;
}
