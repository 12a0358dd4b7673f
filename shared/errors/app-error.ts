import { type ErrorCode, errorCatalogue } from './error-catalogue.ts';

/** Field name → error messages. `body` is the request body as a whole. */
export type FieldErrors = Record<string, string[]>;

type AppErrorDetails = {
  message?: string;
  errors?: FieldErrors;
  headers?: Record<string, string>;
  cause?: unknown;
};

/** The only error with a response; `toProblem` formats it. */
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
