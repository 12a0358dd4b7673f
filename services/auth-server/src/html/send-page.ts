import type { Response } from 'express';
import type { AppError } from '#shared/errors/app-error.ts';
import { requestIdOf } from '#shared/http/request-id.ts';
import { errorPage } from './error-page.ts';
import { type Page, renderPage } from './page.ts';

/**
 * Sends a page with every header a page has. `formAction`: a further source that the page's forms may lead to;
 * Chromium holds the redirect that answers a form to the policy too (CSP 3 §6.4.2).
 */
export function sendPage(
  res: Response,
  page: Page,
  { status = 200, formAction }: { status?: number; formAction?: string } = {},
): void {
  res
    .status(status)
    .set({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Content-Security-Policy': contentSecurityPolicy(formAction),
      'Cross-Origin-Opener-Policy': 'same-origin',
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

function contentSecurityPolicy(formAction: string | undefined): string {
  return [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ["form-action 'self'", formAction].filter(Boolean).join(' '),
  ].join('; ');
}
