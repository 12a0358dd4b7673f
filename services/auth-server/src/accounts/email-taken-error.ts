import { AppError } from '#shared/errors/app-error.ts';

/** validation_error on `email`: it belongs to an account already, which not everybody may ask without end. */
export class EmailTakenError extends AppError {
  constructor() {
    super('validation_error', { errors: { email: ['email belongs to an account already'] } });
  }
}
