import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-catalogue.ts';

/** What the page says, and its links. */
export type ErrorText = { title: string; message: string; way?: Way | undefined; otherWay?: Way | undefined };

type PageErrorOptions = ErrorText & {
  status: number;
  headers?: Record<string, string>;
  /** For a program that gets the same error; pages do not show it. */
  code?: ErrorCode;
};

/** The link to continue; by default the front page. */
export type Way = { label: string; path: string };

/** An error that a page shows with its own title and message. */
export class PageError extends AppError {
  readonly status: number;
  readonly text: ErrorText;

  constructor({ status, headers, code = 'validation_error', ...text }: PageErrorOptions) {
    super(code, { message: text.message, headers });
    this.name = 'PageError';
    this.status = status;
    this.text = text;
  }
}

/** For a mailed link that is no longer valid. */
export function deadLink(message: string, way?: Way, otherWay?: Way): PageError {
  return new PageError({ status: 400, title: 'This link no longer works', message, way, otherWay });
}
