import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import PQueue from 'p-queue';
import { Cookie, CookieJar } from 'tough-cookie';
import { type PageForm, type PageView, viewPage } from './page-view.ts';

type Cookies = {
  /** The Cookie header for a path; '' if there are no cookies. */
  header(path: string): string;
  keep(setCookieHeaders: readonly string[]): void;
  get(name: string): string | undefined;
  set(name: string, value: string): void;
};

function createCookies(baseUrl: string): Cookies {
  const jar = new CookieJar();
  return {
    header: (path) => jar.getCookieStringSync(new URL(path, baseUrl)),
    keep: (headers) => headers.forEach((header) => void jar.setCookieSync(header, baseUrl)),
    get: (name) => jar.toJSON()?.cookies.find(({ key }) => key === name)?.value,
    set: (name, value) => void jar.setCookieSync(new Cookie({ key: name, value, path: '/' }), baseUrl),
  };
}

/** `undefined` leaves a field out; a list is a group of check boxes. */
export type FormFields = Readonly<Record<string, string | readonly string[] | undefined>>;

/** `undefined` leaves out a header that would be sent. */
type SentHeaders = Readonly<Record<string, string | undefined>>;

type SubmitOptions = {
  /** The text of the button that is pressed; without it, the form's first. */
  button?: string;
  headers?: SentHeaders;
};

/** A browser without scripts. Redirects are returned; `follow` follows them. */
export type PageBrowser = {
  cookies: Cookies;
  get(pathOrUrl: string, headers?: SentHeaders): Promise<PageView>;
  /** Sends exactly these fields or this body, without a form. */
  post(path: string, fields: FormFields | URLSearchParams | string, headers?: SentHeaders): Promise<PageView>;
  /** Fills the page's form for `action` and submits it. Throws if the form lacks a given field. */
  submit(page: PageView, action: string, fields?: FormFields, options?: SubmitOptions): Promise<PageView>;
  /** Follows redirects. Throws if they lead to another host. */
  follow(page: PageView): Promise<PageView>;
  /** Through the form of /sign-in; throws unless it succeeds. */
  signIn(account: { email: string; password: string }): Promise<PageView>;
  /** Through the form of /sign-up; throws unless it succeeds. */
  signUp(account: { email: string; password: string }): Promise<PageView>;
};

const maximumRedirects = 10;

/** What Chromium sends with a form of a page whose referrer policy is no-referrer. */
const formHeaders = {
  origin: 'null',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-mode': 'navigate',
  'content-type': 'application/x-www-form-urlencoded',
};

export function createPageBrowser(
  baseUrl: string,
  { userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' } = {},
): PageBrowser {
  const cookies = createCookies(baseUrl);

  async function send(
    method: string,
    pathOrUrl: string,
    body: string,
    headers: SentHeaders,
  ): Promise<PageView> {
    const url = new URL(pathOrUrl, baseUrl);
    if (url.origin !== new URL(baseUrl).origin) throw new Error(`${url.href} is another host`);
    const cookie = cookies.header(url.pathname);
    const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
    const sent = { 'user-agent': userAgent, accept, ...(cookie !== '' && { cookie }), ...headers };
    const answer = await exchange(url, method, withoutAbsent(sent), body);
    cookies.keep(answer.headers.getSetCookie());
    return viewPage(url.pathname + url.search, answer.status, answer.headers, answer.text);
  }

  const browser: PageBrowser = {
    cookies,
    get: (pathOrUrl, headers = {}) => send('GET', pathOrUrl, '', { 'sec-fetch-site': 'none', ...headers }),
    post: (path, fields, headers = {}) =>
      send('POST', path, encodeFields(fields), { ...formHeaders, ...headers }),
    submit(page, action, fields = {}, { button, headers = {} } = {}) {
      const filled = fillForm(page.form(action), fields, button);
      return browser.post(action, filled, headers);
    },
    async follow(page) {
      let current = page;
      for (let count = 0; current.location !== null; count += 1) {
        if (count === maximumRedirects) throw new Error(`${page.path} redirects in a circle`);
        current = await browser.get(current.location);
      }
      return current;
    },
    signIn: (account) => enter(browser, '/sign-in', account),
    signUp: (account) => enter(browser, '/sign-up', account),
  };
  return browser;
}

/** The tests of a file start together, and a service refuses sign-ins while 64 passwords are queued. */
const entryQueue = new PQueue({ concurrency: 8 });

async function enter(browser: PageBrowser, path: string, account: { email: string; password: string }) {
  const { email, password } = account;
  const answer = await entryQueue.add(async () =>
    browser.submit(await browser.get(path), path, { email, password }),
  );
  if (answer.status !== 303) throw new Error(`${path} answers ${answer.status}: ${answer.text}`);
  return answer;
}

function fillForm(form: PageForm, fields: FormFields, buttonText: string | undefined): URLSearchParams {
  if (form.method !== 'POST') throw new Error(`the form for ${form.action} is sent with ${form.method}`);
  const unknown = Object.keys(fields).filter((name) => !form.names.has(name));
  if (unknown.length > 0) throw new Error(`the form for ${form.action} has no field ${unknown}`);
  const sent = new URLSearchParams(
    form.fields.filter(([name]) => !Object.hasOwn(fields, name)).map(([name, value]) => [name, value]),
  );
  appendFields(sent, fields);
  const button = form.buttons.find(({ text: shown }) => buttonText === undefined || shown === buttonText);
  if (button === undefined) throw new Error(`the form for ${form.action} has no button ${buttonText ?? ''}`);
  if (button.name !== undefined) sent.append(button.name, button.value);
  return sent;
}

function encodeFields(fields: FormFields | URLSearchParams | string): string {
  if (fields instanceof URLSearchParams || typeof fields === 'string') return fields.toString();
  const encoded = new URLSearchParams();
  appendFields(encoded, fields);
  return encoded.toString();
}

function appendFields(encoded: URLSearchParams, fields: FormFields): void {
  for (const [name, values] of Object.entries(fields)) {
    for (const value of [values ?? []].flat()) encoded.append(name, value);
  }
}

function withoutAbsent(headers: SentHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Not fetch, which sets Origin and Sec-Fetch-Mode by itself. */
function exchange(
  url: URL,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ status: number; headers: Headers; text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const received = new Headers();
      for (const [name, values] of Object.entries(response.headersDistinct)) {
        for (const value of values ?? []) received.append(name, value);
      }
      text(response).then((answer) => {
        resolve({ status: response.statusCode ?? 0, headers: received, text: answer });
      }, reject);
    });
    sent.on('error', reject);
    sent.end(body === '' ? undefined : body);
  });
}
