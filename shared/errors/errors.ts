import { AppError, type FieldErrors } from './app-error.ts';

export function validationFailed(errors: FieldErrors): AppError {
  return new AppError('validation_error', { errors });
}

export function invalidField(field: string, message: string): AppError {
  return validationFailed({ [field]: [message] });
}

/** Missing, foreign and malformed ids get the same response on purpose. */
export function notFound(message?: string): AppError {
  return new AppError('not_found', { message });
}

export function invalidState(message: string): AppError {
  return new AppError('invalid_state', { message });
}

export function methodNotAllowed(allowed: readonly string[]): AppError {
  return new AppError('method_not_allowed', { headers: { Allow: allowed.join(', ') } });
}

export function serviceUnavailable(cause: unknown, retryAfterSeconds = 1): AppError {
  return new AppError('service_unavailable', {
    cause,
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });
}
