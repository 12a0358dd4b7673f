import type { Response } from 'express';
import type { AppError } from '#shared/errors/app-error.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { html } from '#shared/html/html.ts';
import { requestIdOf } from '#shared/http/response-headers.ts';
import { sendPage } from './page.ts';
import { type ErrorText, PageError, type Way } from './page-error.ts';
import { formatWait } from './text.ts';

const frontPage: Way = { label: 'Go to the front page', path: '/' };

const texts: Partial<Record<ErrorCode, ErrorText>> = {
  not_found: {
    title: 'Page not found',
    message: 'There is nothing at this address. It may have been removed, or the link has a typing error.',
  },
  method_not_allowed: {
    title: 'This address does not take that request',
    message: 'Open the page again and use the form on it.',
  },
  body_too_large: { title: 'That was too much', message: 'The form contains too much text.' },
  unsupported_media_type: {
    title: 'That was not a form',
    message: 'This address accepts only the form on its page.',
  },
  validation_error: {
    title: 'That could not be read',
    message: 'The form is invalid. Open the page again and resubmit it.',
  },
  account_suspended: {
    title: 'Your account is suspended',
    message: 'It is read-only. Contact the operator of this service.',
  },
  rate_limited: { title: 'Too many requests', message: 'Your address has sent more requests than allowed.' },
  service_unavailable: {
    title: 'The service is busy',
    message: 'It is busy or restarting. Nothing was changed.',
  },
};

const internalError: ErrorText = {
  title: 'Something went wrong',
  message: 'This is an error on our side, which has been logged. Try again later.',
};

/** A thrown error as a page, without internal details. */
export function sendErrorPage(res: Response, error: AppError): void {
  const text = error instanceof PageError ? error.text : (texts[error.code] ?? internalError);
  const { title, message, way = frontPage, otherWay } = text;
  const retryAfterSeconds = Number(error.headers['Retry-After'] ?? Number.NaN);
  const status = error instanceof PageError ? error.status : errorCatalogue[error.code].status;
  const isTemporary = status === 429 || status >= 500;
  const ways = otherWay === undefined ? [way] : [way, otherWay];
  const body = html`<div class="stack"${isTemporary && html` data-resend`}>
<p>${message}</p>
${retryAfterSeconds > 0 && html`<p>Try again ${formatWait(retryAfterSeconds)}.</p>`}
<p class="row">${ways.map(({ path, label }) => html`<a class="btn" href="${path}">${label}</a>`)}</p>
<p class="fine">If you ask for help, quote this request: <code>${requestIdOf(res)}</code></p>
</div>`;
  sendPage(res.set(error.headers), { title, body }, { status });
}
