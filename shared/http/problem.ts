import type { ErrorRequestHandler, Response } from 'express';
import { isDatabaseUnavailable } from '../database/database-unavailable.ts';
import { AppError, type FieldErrors } from '../errors/app-error.ts';
import { errorCatalogue } from '../errors/error-catalogue.ts';
import { notFound, serviceUnavailable } from '../errors/errors.ts';
import type { Logger } from '../logging/logger.ts';
import { requestIdOf } from './response-headers.ts';

/** The body of every API error (specification §7). */
export type Problem = {
  errorType: string;
  errorCode: string;
  message: string;
  errors?: FieldErrors;
  requestId: string;
};

/** The only place that creates the body of an API error. */
export function toProblem(error: AppError, requestId: string): Problem {
  return {
    errorType: errorCatalogue[error.code].type,
    errorCode: error.code,
    message: error.message,
    ...(error.errors && { errors: error.errors }),
    requestId,
  };
}

/** Writes an error in the format of a path's clients: the API's problem, OAuth's JSON, a page. */
export type SendError = (res: Response, error: AppError) => void;

export const sendProblem: SendError = (res, error) => {
  const { status } = errorCatalogue[error.code];
  res
    .set(error.headers)
    .status(status)
    .json(toProblem(error, requestIdOf(res)));
};

/** The one place where a thrown error becomes a response. */
export function handleErrors(logger: Logger, send: SendError = sendProblem): ErrorRequestHandler {
  return (thrown: unknown, _req, res, next) => {
    const error = toAppError(thrown);
    logFailure(logger, error, requestIdOf(res));
    // Express closes the connection: half a response must not look whole.
    if (res.headersSent) next(thrown);
    else send(res, error);
  };
}

/** Returns an AppError for a known condition, else an internal error. */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isDatabaseUnavailable(thrown)) return serviceUnavailable(thrown);
  // Express throws this for invalid percent-encoding in a path: not found.
  if (thrown instanceof URIError) return notFound();
  return new AppError('internal_error', { cause: thrown });
}

/** During an outage thousands of requests fail for the same external reason: no stack. */
function logFailure(logger: Logger, error: AppError, requestId: string): void {
  const thrown = error.cause ?? error;
  if (error.code === 'service_unavailable') logger.warn({ outage: thrown, requestId }, error.message);
  else if (errorCatalogue[error.code].status >= 500) logger.error({ err: thrown, requestId }, error.message);
}
