import type { Response } from 'express';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import { AppError, type FieldErrors } from '../errors/app-error.ts';
import { errorCatalogue } from '../errors/error-catalogue.ts';
import { notFound, serviceUnavailable } from '../errors/errors.ts';
import { requestIdOf } from './request-id.ts';

/** The body of every API error (specification §7). */
export type Problem = {
  errorType: string;
  errorCode: string;
  message: string;
  errors?: FieldErrors;
  requestId: string;
};

/** What an error answers; nothing else makes the API's error shape. */
export function toProblem(error: AppError, requestId: string): Problem {
  return {
    errorType: errorCatalogue[error.code].type,
    errorCode: error.code,
    message: error.message,
    ...(error.errors && { errors: error.errors }),
    requestId,
  };
}

export function sendProblem(res: Response, error: AppError): void {
  const { status } = errorCatalogue[error.code];
  res
    .set(error.headers)
    .status(status)
    .json(toProblem(error, requestIdOf(res)));
}

/** What a thrown value stands for: an AppError as it is, a known condition, else an internal error. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isDatabaseUnavailable(thrown)) return serviceUnavailable(thrown);
  // Express throws this for a path that is not valid percent-encoded UTF-8: no such resource.
  if (thrown instanceof URIError) return notFound();
  return new AppError('internal_error', { cause: thrown });
}
