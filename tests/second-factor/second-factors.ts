import { Secret, TOTP } from 'otpauth';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed, textOf } from '#tests/support/page-markup.ts';
import type { PageView } from '#tests/support/page-view.ts';
import type { Stack } from '#tests/support/stack.ts';

export const securityPath = '/settings/security';

/** The codes of an authenticator app that holds the key. */
type App = { codeAt(instant: Date): string };

export function openAuthenticator(key: string): App {
  const totp = new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) });
  return { codeAt: (instant) => totp.generate({ timestamp: instant.getTime() }) };
}

const textAt = (page: PageView, id: string): string => {
  const found = [...elementsNamed(page.root, 'code'), ...elementsNamed(page.root, 'pre')].find(
    ({ attributes }) => attributes.get('id') === id,
  );
  return found === undefined ? '' : textOf(found);
};

/** The recovery codes that a page shows. */
export const codesOn = (page: PageView): string[] =>
  textAt(page, 'codes').match(/[0-9a-z]{4}(-[0-9a-z]{4}){2}/g) ?? [];

/** Opens the page with the QR code, and an app that has scanned it. */
export async function beginSetUp(
  browser: PageBrowser,
  from = securityPath,
): Promise<{ page: PageView; app: App }> {
  const page = await browser.submit(await browser.get(from), `${securityPath}/authenticator`);
  return { page, app: openAuthenticator(textAt(page, 'key')) };
}

/** Sets up an authenticator app with a code of `instant`; later codes count. */
export async function setUpApp(
  browser: PageBrowser,
  instant: Date,
  from = securityPath,
): Promise<{ app: App; codes: string[]; page: PageView }> {
  const { page, app } = await beginSetUp(browser, from);
  const fields = { code: app.codeAt(instant) };
  const done = await browser.submit(page, `${securityPath}/authenticator/confirm`, fields);
  return { app, codes: codesOn(done), page: done };
}

/** A new browser after the password: on the page that asks for the second factor. */
export async function givePassword(
  stack: Stack,
  { email, password }: { email: string; password: string },
  returnTo = '/settings/apps',
): Promise<{ browser: PageBrowser; page: PageView }> {
  const browser = createPageBrowser(stack.baseUrl);
  const form = await browser.get(`/sign-in?return_to=${encodeURIComponent(returnTo)}`);
  const answer = await browser.submit(form, '/sign-in', { email, password });
  const asksForMore = answer.location?.startsWith('/sign-in/second-factor?');
  return { browser, page: asksForMore ? await browser.follow(answer) : answer };
}

export const giveCode = (browser: PageBrowser, page: PageView, code: string): Promise<PageView> =>
  browser.submit(page, '/sign-in/second-factor', { code });
