import { appSessionPath } from '#shared/app/app-protocol.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';

/** Somebody signed in at a browser of their own. */
export type Session = {
  baseUrl: string;
  cookies: string;
  /** As the app's page would: with the cookie where it is asked for. */
  reach(path: string, init?: RequestInit): Promise<Response>;
};

export async function openSession(
  baseUrl: string,
  person: { email: string; password: string },
): Promise<Session> {
  const visitor = createPageBrowser(baseUrl);
  await visitor.signIn(person);
  const cookies = visitor.cookies.header('/');
  return {
    baseUrl,
    cookies,
    reach(path, init = {}) {
      if (!path.startsWith(appSessionPath)) return fetch(baseUrl + path, init);
      const headers = { 'Content-Type': 'application/json', Cookie: cookies, Origin: baseUrl };
      return fetch(baseUrl + path, { ...init, headers });
    },
  };
}
