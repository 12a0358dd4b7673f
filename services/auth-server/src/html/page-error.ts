import { AppError } from '#shared/errors/app-error.ts';
import type { ErrorCode } from '#shared/errors/error-catalogue.ts';

type PageErrorOptions = {
  status: number;
  title: string;
  message: string;
  headers?: Record<string, string>;
  way?: Way | undefined;
  otherWay?: Way | undefined;
  /** For a program that gets the same error; pages do not show it. */
  code?: ErrorCode;
};

/** The link to continue; by default the front page. */
export type Way = { label: string; path: string };

/** An error that a page shows with its own title and message. */
export class PageError extends AppError {
  readonly status: number;
  readonly title: string;
  readonly way: Way | undefined;
  readonly otherWay: Way | undefined;

  constructor({
    status,
    title,
    message,
    way,
    otherWay,
    headers,
    code = 'validation_error',
  }: PageErrorOptions) {
    super(code, { message, headers });
    this.name = 'PageError';
    this.status = status;
    this.title = title;
    this.way = way;
    this.otherWay = otherWay;
  }
}

/** For a mailed link that is no longer valid. */
export function deadLink(message: string, way?: Way, otherWay?: Way): PageError {
  return new PageError({ status: 400, title: 'This link no longer works', message, way, otherWay });
}
