import type { ErrorRequestHandler, Response } from 'express';
import type { AppError } from '../errors/app-error.ts';
import { errorCatalogue } from '../errors/error-catalogue.ts';
import type { Logger } from '../logging/logger.ts';
import { endWithAnswer, isBodyComing } from './connection-end.ts';
import { sendProblem, toAppError } from './problem.ts';
import { requestIdOf } from './request-id.ts';

/** Writes an error as the readers of a path expect it: the API's problem, OAuth's JSON, a page. */
export type SendError = (res: Response, error: AppError) => void;

/** The one place where a thrown error becomes a response. */
export function answerErrors(logger: Logger, send: SendError = sendProblem): ErrorRequestHandler {
  return (thrown: unknown, req, res, next) => {
    const error = toAppError(thrown);
    report(logger, error, requestIdOf(res));
    // A response already under way can only be cut off: half an answer must not look whole.
    if (res.headersSent) {
      next(thrown);
      return;
    }
    if (isBodyComing(req)) endWithAnswer(res);
    send(res, error);
  };
}

/** An outage refuses thousands of requests for one reason: it is no fault of the code, and no place in it matters. */
function report(logger: Logger, error: AppError, requestId: string): void {
  const thrown = error.cause ?? error;
  if (error.code === 'service_unavailable') logger.warn({ outage: thrown, requestId }, error.message);
  else if (errorCatalogue[error.code].status >= 500) logger.error({ err: thrown, requestId }, error.message);
}
