/** A refused registration, in the words of RFC 7591 §3.2.2. */
export class RegistrationError extends Error {
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri';
  readonly description: string;

  constructor(error: RegistrationError['error'], description: string) {
    super(`${error}: ${description}`);
    this.name = 'RegistrationError';
    this.error = error;
    this.description = description;
  }
}
