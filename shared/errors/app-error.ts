import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';

/** Field name → what is wrong with it. `body` stands for the request body as a whole. */
export type FieldErrors = Record<string, string[]>;

export type AppErrorDetails = {
  message?: string;
  errors?: FieldErrors;
  headers?: Record<string, string>;
  cause?: unknown;
};

/** The one error that carries an answer; `toProblem` alone turns it into a response. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly errors: FieldErrors | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    super(details.message ?? errorCatalogue[code].message, { cause: details.cause });
    this.name = 'AppError';
    this.code = code;
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }
}
