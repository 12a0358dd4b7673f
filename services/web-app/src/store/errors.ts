/** A page could not be read; the screen shows it. */
export class ReadFailure extends Error {
  override readonly name = 'ReadFailure';
}

/** No response, or one that is not about the request. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';
  readonly retryAfterSeconds: number | null;

  constructor(retryAfterSeconds: number | null) {
    super();
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The browser's session has ended. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}
