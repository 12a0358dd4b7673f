import { appSessionPath } from '#shared/app/app-protocol.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';

/** A user's browser session. */
export type Session = {
  baseUrl: string;
  cookies: string;
  /** Sends a request as the app's page does, with the session cookie. */
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
