import { AppError } from '#shared/errors/app-error.ts';
import { notFound } from '#shared/errors/errors.ts';
import { type Html, html } from '#shared/html/html.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { setCookie, takeNotice } from '../browser/browser-cookies.ts';
import { notSignedIn } from '../browser/browser-session-repository.ts';
import { findBrowserUser, findSignedInUser, type SignedInUser } from '../browser/browser-session-service.ts';
import { csrfField, readVerifiedForm } from '../browser/csrf.ts';
import { noticeText } from '../html/form.ts';
import type { IconName } from '../html/icon.ts';
import { type Page, sendPage, suspensionNotice } from '../html/page.ts';
import type { Exchange, Route } from '../http/route.ts';
import { openOwnerSession, type Session } from '../session.ts';
import { leadToSignIn } from '../sign-in/passed-address.ts';
import { pathWithReturn, signInPath } from '../sign-in/sign-in-paths.ts';

/** A page of the settings, defined in one file; the app's palette links to some. */
export type SettingsTab = {
  path: string;
  label: string;
  icon: IconName;
  /** Shown after a form, by the name that the form's handler passes to `done`. */
  notices?: Readonly<Record<string, string>>;
  /** Also available to users who must set up a second factor first. */
  isForIncompleteSignIn?: true;
  show(request: SettingsRequest): Promise<void>;
  /** Handlers by the path that their form posts to. */
  forms?: Readonly<Record<string, FormHandler>>;
};

export type FormHandler = (request: SettingsRequest, form: URLSearchParams) => Promise<void>;

export type SettingsRequest = Exchange & {
  user: SignedInUser;
  session: Session;
  /** Of the tab's page. */
  tabPath: string;
  /** The hidden CSRF field of a form that posts to that path. */
  csrf(action: string): Html;
  /** A parameter of the path. Throws not_found unless it is a UUID. */
  id(parameter: string): string;
  sendPage(
    page: SettingsPage,
    options?: { status?: number | undefined; headers?: Record<string, string> | undefined },
  ): void;
  /** Redirects back to the tab, which shows the notice. */
  done(notice: string): void;
};

export type SettingsPage = Pick<Page, 'title' | 'body'>;

/** Users who are not signed in are sent to sign in, and then back. */
export function tabRoutes(tab: SettingsTab, navigation: Html): Route[] {
  /** Throws token_missing. */
  const open = async (exchange: Exchange): Promise<SettingsRequest> => {
    const findUser = tab.isForIncompleteSignIn ? findBrowserUser : findSignedInUser;
    const user = await findUser(exchange.context, exchange.req);
    if (user === undefined) throw notSignedIn();
    return openRequest(exchange, tab, navigation, user);
  };
  const route = (path: string, method: Route['method'], work: Route['handler']): Route => ({
    path,
    method,
    handler: (exchange) => work(exchange).catch((error: unknown) => leadOn(exchange, tab, error)),
  });
  const page = route(tab.path, 'get', async (exchange) => tab.show(await open(exchange)));
  const forms = Object.entries(tab.forms ?? {}).map(([path, change]) =>
    route(path, 'post', async (exchange) => {
      await open(exchange);
      const form = await readVerifiedForm(exchange);
      // Opened again, since the session may have ended while the form was received.
      await change(await open(exchange), form);
    }),
  );
  // The URL of a form stays in the address bar after its response and may be opened again.
  const opened = forms
    .filter(({ path }) => path !== tab.path)
    .map(({ path }): Route => {
      return { path, method: 'get', handler: async ({ res }) => res.redirect(303, tab.path) };
    });
  return [...opened, page, ...forms];
}

/** To the sign-in page and back; a form that names an item which another tab has removed, to the tab. */
function leadOn(exchange: Exchange, tab: SettingsTab, error: unknown): void {
  const { req, res } = exchange;
  const isForm = req.method === 'POST';
  const code = error instanceof AppError ? error.code : undefined;
  if (code === 'token_missing' && isForm)
    leadToSignIn(exchange, { notice: 'signed-out', returnTo: tab.path });
  else if (code === 'token_missing') res.redirect(303, pathWithReturn(signInPath, req.originalUrl));
  else if (code === 'not_found' && isForm) leadToTab(exchange, tab, goneNotice);
  else throw error;
}

function leadToTab({ context, res }: Exchange, { path }: SettingsTab, notice: string): void {
  setCookie(context, res, 'notice', notice);
  res.redirect(303, path);
}

function openRequest(
  exchange: Exchange,
  tab: SettingsTab,
  navigation: Html,
  user: SignedInUser,
): SettingsRequest {
  const { context, req, res } = exchange;
  return {
    ...exchange,
    user,
    session: openOwnerSession(context, req),
    tabPath: tab.path,
    csrf: (action) => csrfField(exchange, action),
    id(parameter) {
      const value = req.params[parameter];
      if (isUuid(value)) return value;
      throw notFound();
    },
    sendPage({ title, body }, { status = 200, headers = {} } = {}) {
      const isSuspended = user.account.status === 'suspended';
      const notice = req.method === 'POST' ? undefined : noticeOf(tab, takeNotice(context, req, res));
      const above = html`${isSuspended && suspensionNotice}${noticeText(notice)}`;
      const layout = { kind: 'settings', navigation } as const;
      const page = { title, user, layout, body: html`${above}${body}` };
      sendPage(res.set(headers), page, { status });
    },
    done: (notice) => leadToTab(exchange, tab, notice),
  };
}

const goneNotice = 'gone';

/** Text from a cookie is never shown. */
function noticeOf(tab: SettingsTab, name: string | undefined): string | undefined {
  const notices: SettingsTab['notices'] = {
    [goneNotice]: 'That was gone already: nothing was changed.',
    ...tab.notices,
  };
  return name !== undefined && Object.hasOwn(notices, name) ? notices[name] : undefined;
}
