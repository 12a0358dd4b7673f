import type { Response } from 'express';
import type { AppError } from '#shared/errors/app-error.ts';
import { requestIdOf } from '#shared/http/response-headers.ts';
import { errorPage } from './error-page.ts';
import { type Page, renderPage } from './page.ts';

const policy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'";

/**
 * Sends a page with every header a page has. `formsLeadAnywhere`: Chromium holds all redirects that follow a form to
 * the policy too (CSP 3 §6.4.2), and where a client sends the browser on to is known to the client alone.
 */
export function sendPage(
  res: Response,
  page: Page,
  { status = 200, formsLeadAnywhere = false }: { status?: number; formsLeadAnywhere?: boolean } = {},
): void {
  res
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': formsLeadAnywhere ? policy : `${policy}; form-action 'self'`,
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    })
    .send(renderPage(page).text);
}

/** A thrown error as a page; what a caller must not know is not on it. */
export function sendErrorPage(res: Response, error: AppError): void {
  const { page, status } = errorPage(error, {
    requestId: requestIdOf(res),
    retryAfterSeconds: Number(error.headers['Retry-After'] ?? Number.NaN),
  });
  sendPage(res.set(error.headers), page, { status });
}
