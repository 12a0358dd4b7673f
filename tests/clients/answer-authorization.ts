import { type Decision, decide } from '#tests/oauth/oauth-flow.ts';
import type { Person as Owner } from '#tests/pages/visitors.ts';
import type { PageBrowser } from '#tests/support/page-browser.ts';

export type Person = { owner: Pick<Owner, 'email' | 'password'>; browser: PageBrowser };

/** What a person does whom a client sent to `url`: signs in when asked, decides, and is sent back. */
export async function answerAuthorization(
  { owner, browser }: Person,
  url: URL | undefined,
  decision: Decision = {},
): Promise<URL> {
  if (url === undefined) throw new Error('nobody was sent to an authorization page');
  const page = await browser.get(url.href);
  const isAskedWho = page.forms.some(({ action }) => action === '/sign-in');
  if (!isAskedWho) return decide(browser, page, decision);
  const { email, password } = owner;
  const consent = await browser.follow(await browser.submit(page, '/sign-in', { email, password }));
  return decide(browser, consent, decision);
}
