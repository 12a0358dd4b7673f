import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-catalogue.ts';

type PageErrorOptions = {
  status: number;
  title: string;
  message: string;
  headers?: Record<string, string>;
  /** For a program that gets the same error; pages do not show it. */
  code?: ErrorCode;
};

/** An error that a page shows with its own title and message. */
export class PageError extends AppError {
  readonly status: number;
  readonly title: string;

  constructor({ status, title, message, headers, code = 'validation_error' }: PageErrorOptions) {
    super(code, { message, headers });
    this.name = 'PageError';
    this.status = status;
    this.title = title;
  }
}

/** For a link that was sent by mail and does not count any more. */
export function deadLink(message: string): PageError {
  return new PageError({ status: 400, title: 'This link no longer works', message });
}
