/** Every error of the API: HTTP status, type and default message. */
export const errorCatalogue = {
  validation_error: { status: 400, type: 'validation', message: 'The request is not valid.' },
  invalid_grant: { status: 400, type: 'authentication', message: 'The subject token is not valid.' },
  token_missing: { status: 401, type: 'authentication', message: 'A bearer token is required.' },
  token_invalid: { status: 401, type: 'authentication', message: 'The token is not valid.' },
  insufficient_scope: { status: 403, type: 'authorization', message: 'The token lacks a required scope.' },
  project_limit_reached: { status: 403, type: 'plan_limit', message: 'The plan allows no more projects.' },
  area_limit_reached: { status: 403, type: 'plan_limit', message: 'The plan allows no more areas.' },
  storage_limit_reached: {
    status: 403,
    type: 'plan_limit',
    message: 'The storage limit of the account is reached.',
  },
  premium_required: { status: 403, type: 'plan_limit', message: 'This field needs the Premium plan.' },
  not_found: { status: 404, type: 'not_found', message: 'Nothing was found here.' },
  method_not_allowed: {
    status: 405,
    type: 'not_found',
    message: 'This path does not support that method.',
  },
  invalid_state: {
    status: 409,
    type: 'conflict',
    message: 'The current state of the resource does not allow this.',
  },
  version_changed: {
    status: 409,
    type: 'conflict',
    message: 'The resource was changed since the version that this change was made on.',
  },
  idempotency_key_reused: {
    status: 409,
    type: 'conflict',
    message: 'This Idempotency-Key was used for another request in the last 24 hours.',
  },
  body_too_large: { status: 413, type: 'request', message: 'The request body is larger than 2 MiB.' },
  unsupported_media_type: {
    status: 415,
    type: 'request',
    message: 'The request body must be JSON in UTF-8, sent with Content-Type: application/json.',
  },
  account_suspended: {
    status: 423,
    type: 'account',
    message: 'The account is suspended: it can be read, not changed.',
  },
  rate_limited: { status: 429, type: 'rate_limit', message: 'Too many requests.' },
  internal_error: { status: 500, type: 'internal', message: 'Something went wrong on our side.' },
  service_unavailable: {
    status: 503,
    type: 'unavailable',
    message: 'The service is busy or restarting. Try again shortly.',
  },
} as const satisfies Record<string, { status: number; type: string; message: string }>;

export type ErrorCode = keyof typeof errorCatalogue;
