/** One response; `body` is kept only when it was asked for. */
export type RawResponse = { status: number; body: Buffer | undefined };

const endOfHead = Buffer.from('\r\n\r\n');
const contentLength = /\r\ncontent-length: *(\d+)/i;

/**
 * Reads the responses of one connection, one after the other, with as little work as it takes: status and length.
 * The result is fed what arrives, and copies what it keeps of it. Throws an Error for a response whose length is not said.
 */
export function createResponseReader(
  keepsBodies: boolean,
  onResponse: (response: RawResponse) => void,
): (bytes: Buffer) => void {
  let head: Buffer | undefined;
  let status = 0;
  let missing = 0;
  let kept: Buffer[] = [];

  const finish = (): void => {
    const body = keepsBodies ? Buffer.concat(kept) : undefined;
    kept = [];
    onResponse({ status, body });
  };
  const readBody = (bytes: Buffer): void => {
    missing -= bytes.length;
    if (missing < 0) throw new Error('the server sent more than it announced');
    if (keepsBodies) kept.push(Buffer.from(bytes));
    if (missing === 0) finish();
  };
  return (bytes) => {
    if (missing > 0) return readBody(bytes);
    const received = head === undefined ? bytes : Buffer.concat([head, bytes]);
    const end = received.indexOf(endOfHead);
    if (end < 0) {
      head = Buffer.from(received);
      return;
    }
    head = undefined;
    const text = received.toString('latin1', 0, end);
    status = Number(text.slice(9, 12));
    missing = lengthOf(text, status);
    readBody(received.subarray(end + endOfHead.length));
  };
}

/** RFC 9112 §6.3: a 204 and a 304 have no body; else the length must be given, as all servers here do. */
function lengthOf(head: string, status: number): number {
  if (status === 204 || status === 304) return 0;
  const length = contentLength.exec(head)?.[1];
  if (length === undefined) throw new Error(`a response without Content-Length: ${head.slice(0, 200)}`);
  return Number(length);
}
