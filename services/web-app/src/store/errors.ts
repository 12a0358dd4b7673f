/** A page could not be read: the screen says so. */
export class ReadFailure extends Error {
  override readonly name = 'ReadFailure';
  readonly reason: 'offline' | 'refused';
  readonly status: number | null;

  constructor(reason: 'offline' | 'refused', status: number | null, message: string) {
    super(message);
    this.reason = reason;
    this.status = status;
  }
}

/** No answer, or one that says nothing about the request. */
export class ConnectionFailure extends Error {
  override readonly name = 'ConnectionFailure';
  readonly retryAfterSeconds: number | null;

  constructor(retryAfterSeconds: number | null) {
    super('The service could not be reached');
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The browser's session has ended. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';

  constructor() {
    super('The browser is signed out');
  }
}
