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
