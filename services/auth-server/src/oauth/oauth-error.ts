import type { Response } from 'express';
import { AppError } from '#shared/errors/app-error.ts';
import { type ErrorCode, errorCatalogue } from '#shared/errors/error-catalogue.ts';

/** An error of an OAuth endpoint (RFC 6749 §5.2, RFC 7591 §3.2.2, RFC 8707 §2). */
export class OAuthError extends AppError {
  readonly error: string;

  constructor(error: string, description: string) {
    super('validation_error', { message: description });
    this.name = 'OAuthError';
    this.error = error;
  }
}

/** Errors of shared code as OAuth error codes (RFC 6749 §5.2 and §4.1.2.1). */
const errorOfCode: Partial<Record<ErrorCode, string>> = {
  not_found: 'not_found',
  rate_limited: 'temporarily_unavailable',
  service_unavailable: 'temporarily_unavailable',
  internal_error: 'server_error',
};

export function sendOAuthError(res: Response, thrown: AppError): void {
  const error = thrown instanceof OAuthError ? thrown.error : (errorOfCode[thrown.code] ?? 'invalid_request');
  res
    .set(thrown.headers)
    .status(statusOf(thrown.code))
    .json({ error, error_description: descriptionOf(thrown) });
}

/** RFC 6749 §5.2 has 400 for a malformed request, including its media type. */
function statusOf(code: ErrorCode): number {
  return code === 'unsupported_media_type' ? 400 : errorCatalogue[code].status;
}

/** RFC 6749 §5.2 allows only %x20-21, %x23-5B and %x5D-7E. */
function descriptionOf({ message, errors }: AppError): string {
  const [fault] = Object.values(errors ?? {}).flat();
  return (fault ?? message)
    .replaceAll('’', "'")
    .replaceAll('"', "'")
    .replace(/[^\x20-\x5b\x5d-\x7e]/g, '?');
}
