import { AppError } from '#shared/errors/app-error.ts';

/** Why a request is not let in; `not_accepted` is a JWT that is malformed, expired or not ours. */
type RefusalReason =
  | 'missing'
  | 'in_query'
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired'
  | 'password_changed'
  | 'not_accepted';

/** token_missing or token_invalid, with the reason in a word for whoever counts them. */
export class TokenRefusal extends AppError {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message?: string) {
    super(reason === 'missing' ? 'token_missing' : 'token_invalid', { ...(message && { message }) });
    this.reason = reason;
  }
}
