import type { Request, Response } from 'express';
import { notFound } from '#shared/errors/errors.ts';
import { queryOf } from '#shared/http/request-input.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { requestOrigin } from '../audit/origin.ts';
import { setNoticeCookie, takeNoticeCookie } from '../browser/browser-cookies.ts';
import { findVisitor, type Visitor } from '../browser/browser-session-service.ts';
import { csrfField, readTrustedForm } from '../browser/trusted-form.ts';
import type { Context } from '../context.ts';
import { type Html, html } from '../html/html.ts';
import { sendPage } from '../html/send-page.ts';
import { suspensionNotice } from '../html/suspension-notice.ts';
import type { Route } from '../http/route.ts';
import { openSession, type Session } from '../session.ts';
import { type Attempt, countSignIn } from '../sign-in/sign-in-limits.ts';
import { pathWithReturn, signInPath } from '../sign-in/sign-in-paths.ts';
import { type Notice, noticeText } from './notices.ts';
import type { SettingsTab } from './settings-tabs.ts';

export type SettingsPage = { title: string; body: Html };

/** A request of somebody who is signed in. */
export type SettingsRequest = {
  visitor: Visitor;
  session: Session;
  query: URLSearchParams;
  /** The hidden field of a form that is sent to that path. */
  csrf(action: string): Html;
  /** A parameter of the path. Throws not_found unless it is a UUID. */
  id(parameter: string): string;
  /** A guess at the account's password counts like one at sign-in. */
  countPasswordGuess(): Promise<Attempt>;
  show(page: SettingsPage, answer?: { status?: number; headers?: Record<string, string> }): void;
  /** What was asked for is done: back to the tab, which says so. */
  done(notice: Notice): void;
};

type Read = (request: SettingsRequest) => Promise<void>;
type Change = (request: SettingsRequest, form: URLSearchParams) => Promise<void>;

/** Who is not signed in is sent to do so, and then back. */
export function settingsPage(context: Context, tab: SettingsTab, read: Read): Route {
  return { path: tab, method: 'get', handler: forVisitor(context, tab, (request) => read(request)) };
}

/** A form of the tab. Throws what `readTrustedForm` throws. */
export function settingsForm(context: Context, tab: SettingsTab, path: string, change: Change): Route {
  const handler = forVisitor(context, tab, async (request, req, res) =>
    change(request, await readTrustedForm(context, req, res)),
  );
  return { path, method: 'post', handler };
}

function forVisitor(
  context: Context,
  tab: SettingsTab,
  work: (request: SettingsRequest, req: Request, res: Response) => Promise<void>,
): Route['handler'] {
  return async (req, res) => {
    const visitor = await findVisitor(context, req);
    if (visitor !== undefined) return work(settingsRequest(context, tab, visitor, req, res), req, res);
    res.redirect(303, pathWithReturn(signInPath, req.method === 'POST' ? tab : req.originalUrl));
  };
}

function settingsRequest(
  context: Context,
  tab: SettingsTab,
  visitor: Visitor,
  req: Request,
  res: Response,
): SettingsRequest {
  return {
    visitor,
    session: openSession(context, requestOrigin(req, context.config.trustedProxyHops, 'owner')),
    query: queryOf(req),
    csrf: (action) => csrfField(context, req, res, action),
    id(parameter) {
      const value = req.params[parameter];
      if (isUuid(value)) return value;
      throw notFound();
    },
    countPasswordGuess: () => countSignIn(context, req, visitor.account.email),
    show({ title, body }, { status = 200, headers = {} } = {}) {
      const isSuspended = visitor.account.status === 'suspended';
      const notice = req.method === 'POST' ? undefined : noticeText(takeNoticeCookie(context, req, res));
      const above = html`${isSuspended && suspensionNotice}${notice && html`<p class="notice" role="status">${notice}</p>\n`}`;
      const page = { title, visitor, settingsTab: tab, body: html`${above}${body}` };
      sendPage(res.set(headers), page, { status });
    },
    done(notice) {
      setNoticeCookie(context, res, notice);
      res.redirect(303, tab);
    },
  };
}
