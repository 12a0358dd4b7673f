import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-catalogue.ts';

export type ErrorOfPage = {
  status: number;
  title: string;
  message: string;
  headers?: Record<string, string>;
  /** What a program is told that meets the same error; pages do not show it. */
  code?: ErrorCode;
};

/** An error in the words that the reader of a page sees. */
export class PageError extends AppError {
  readonly status: number;
  readonly title: string;

  constructor({ status, title, message, headers, code = 'validation_error' }: ErrorOfPage) {
    super(code, { message, headers });
    this.name = 'PageError';
    this.status = status;
    this.title = title;
  }
}
