import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '#shared/errors/app-error.ts';
import { invalidField } from '#shared/errors/errors.ts';
import type { Operation } from '#shared/http/operation.ts';
import { changesData } from '#shared/scopes.ts';
import type { WriteSession } from '../session.ts';
import { findRecord, retainedAfter, type StoredBody, storeRecord } from './idempotency-repository.ts';
import { toStoredBody } from './stored-body.ts';

/** Whether the operation takes a key: GET, PATCH and DELETE can be repeated as they are. */
export function takesIdempotencyKey({ method, scope }: Pick<Operation, 'method' | 'scope'>): boolean {
  return method === 'post' && changesData(scope);
}

/** 1 to 255 visible ASCII characters. */
export const idempotencyKeyPattern = /^[!-~]{1,255}$/;

/**
 * The request's `Idempotency-Key`; undefined when it has none. Throws validation_error for a malformed one. Node joins
 * a header that came twice with a comma and a blank, and no key holds a blank.
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
 * SHA-256 of what a checked request asks for. The order of members, blanks and the spelling of characters do not count:
 * a client that builds its request anew to repeat it may write the same JSON differently.
 */
export function hashRequest(request: object): Buffer {
  return hashText(JSON.stringify(request, sortMembers));
}

export function hashText(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)));
}

/** A checked request with a key. */
export type KeyedRequest = {
  keyHash: Buffer;
  requestHash: Buffer;
  /** Of the response when it succeeds. */
  status: number;
};

/** `body`: of a replay as it is stored; `readStoredBody` makes the JSON text of it, the same each time. */
export type IdempotentResponse = { status: number } & (
  | { isReplayed: false; body: string }
  | { isReplayed: true; body: StoredBody }
);

/** What a write returns; `rendererVersion`: what made its descriptionHtml, if anything did. */
export type Answered = { answer: unknown; rendererVersion: number | undefined };

/**
 * Returns the stored response of an earlier request with the key, else runs `execute` and stores its response in the
 * same transaction: both, or neither. The account's lock makes a second request with the key wait for the first. The
 * record comes before all that `execute` checks, since what was done may not be possible again. Throws
 * idempotency_key_reused when the key came with another request.
 */
export async function runIdempotent(
  session: WriteSession,
  { keyHash, requestHash, status }: KeyedRequest,
  now: Date,
  execute: () => Promise<Answered>,
): Promise<IdempotentResponse> {
  const { account, principal } = session;
  const owner = { accountId: account.id, tokenId: principal.tokenId, keyHash };
  const stored = await findRecord(session.db, owner, retainedAfter(now));
  if (stored !== undefined) {
    if (!stored.requestHash.equals(requestHash)) throw new AppError('idempotency_key_reused');
    return { status: stored.status, body: stored.body, isReplayed: true };
  }
  const answered = await execute();
  storeRecord(session, owner, { requestHash, status, body: toStoredBody(answered) }, now);
  return { status, body: JSON.stringify(answered.answer), isReplayed: false };
}
