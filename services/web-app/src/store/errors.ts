/** A page could not be read: the screen says so. */
export class ReadFailure extends Error {
  override readonly name = 'ReadFailure';
}

/** No answer, or one that says nothing about the request. */
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
