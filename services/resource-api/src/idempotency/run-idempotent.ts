import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#shared/errors/app-error.ts';
import { invalidField } from '#shared/errors/errors.ts';
import type { Operation } from '#shared/http/operation.ts';
import { changesData } from '#shared/scopes.ts';
import type { WriteSession } from '../session.ts';
import { findRecord, type StoredBody, storeRecord } from './idempotency-repository.ts';
import { type RenderedBody, toStoredBody } from './stored-body.ts';

/** Only POST takes a key: GET, PATCH and DELETE can be repeated. */
export function takesIdempotencyKey({ method, scope }: Pick<Operation, 'method' | 'scope'>): boolean {
  return method === 'post' && changesData(scope);
}

/** 1 to 255 visible ASCII characters. */
export const idempotencyKeyPattern = /^[!-~]{1,255}$/;

/**
 * Returns the `Idempotency-Key`, if any. Throws validation_error for a malformed one, including repeated
 * headers, which Node joins with a comma and a blank.
 */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const key = headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key === 'string' && idempotencyKeyPattern.test(key)) return key;
  throw invalidField(
    'Idempotency-Key',
    'Idempotency-Key must be 1 to 255 visible ASCII characters, sent once.',
  );
}

/**
 * SHA-256 of a validated request, independent of the order of members, blanks and escapes: a client that
 * retries may serialise the same JSON differently.
 */
export function hashRequest(request: object): Buffer {
  return hashText(JSON.stringify(request, sortMembers));
}

export function hashText(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

type KeyedRequest = {
  keyHash: Buffer;
  requestHash: Buffer;
  /** Status of a success. */
  status: number;
};

/** `body`: the stored body of a replay; `readStoredBody` returns its JSON text. */
type IdempotentResponse = { status: number } & (
  | { isReplayed: false; body: string }
  | { isReplayed: true; body: StoredBody }
);

/**
 * Returns the stored response for the key, or runs `execute` and stores its response in the same transaction.
 * The account lock makes a concurrent request with the key wait. The record precedes all checks of `execute`,
 * since what succeeded before may be impossible now. Throws idempotency_key_reused if the key was used for
 * another request.
 */
export async function runIdempotent(
  session: WriteSession,
  { keyHash, requestHash, status }: KeyedRequest,
  now: Date,
  execute: () => Promise<RenderedBody>,
): Promise<IdempotentResponse> {
  const { account, principal } = session;
  const owner = { accountId: account.id, tokenId: principal.tokenId, keyHash };
  const stored = await findRecord(session.db, owner, now);
  if (stored !== undefined) {
    if (!stored.requestHash.equals(requestHash)) throw new AppError('idempotency_key_reused');
    return { status: stored.status, body: stored.body, isReplayed: true };
  }
  const result = await execute();
  storeRecord(session, owner, { requestHash, status, body: toStoredBody(result) }, now);
  return { status, body: JSON.stringify(result.body), isReplayed: false };
}
