import { AppError } from '#shared/errors/app-error.ts';

/** An error that only pages have, in the words its reader sees. */
export class PageError extends AppError {
  readonly status: number;
  readonly title: string;

  constructor(page: { status: number; title: string; message: string; headers?: Record<string, string> }) {
    // The code is never seen: a page shows the status and the words given here.
    super('validation_error', { message: page.message, headers: page.headers });
    this.name = 'PageError';
    this.status = page.status;
    this.title = page.title;
  }
}
