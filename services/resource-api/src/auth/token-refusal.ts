import { AppError } from '#shared/errors/app-error.ts';

/** Why authentication failed; `not_accepted`: a JWT that is malformed, expired or not ours. */
type RefusalReason =
  | 'missing'
  | 'in_query'
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'password_changed'
  | 'not_accepted';

/** token_missing or token_invalid, with the reason for metrics. */
export class TokenRefusal extends AppError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message?: string) {
    super(reason === 'missing' ? 'token_missing' : 'token_invalid', { message });
    this.reason = reason;
  }
}
