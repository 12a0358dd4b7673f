import { AppError } from '#shared/errors/app-error.ts';
import type { WriteSession } from '../session.ts';
import { findKeptAnswer, keepAnswer } from './kept-answer-repository.ts';
import { keptAfter } from './retention.ts';

/** A checked request with a key. */
export type KeyedRequest = {
  keyHash: Buffer;
  requestHash: Buffer;
  /** Of the answer when it succeeds. */
  status: number;
};

export type OnceAnswer = {
  status: number;
  /** The JSON text of the answer, the same each time. */
  body: string;
  isReplayed: boolean;
};

/**
 * Answers as the first time what was answered before under the same key, else has `execute` do it and keeps the
 * answer, in the transaction of the session: both are stored, or neither. The account's lock makes a second request
 * with the key wait for the first one's answer. The kept answer comes before everything that `execute` checks, since
 * what was done may not be possible again. Throws idempotency_key_reused when the key came with another request.
 */
export async function answerOnce(
  { em, account, principal }: WriteSession,
  { keyHash, requestHash, status }: KeyedRequest,
  now: Date,
  execute: () => Promise<unknown>,
): Promise<OnceAnswer> {
  const owner = { accountId: account.id, tokenId: principal.tokenId, keyHash };
  const kept = await findKeptAnswer(em, owner, keptAfter(now));
  if (kept !== undefined) {
    if (!kept.requestHash.equals(requestHash)) throw new AppError('idempotency_key_reused');
    return { status: kept.status, body: kept.body, isReplayed: true };
  }
  const body = JSON.stringify(await execute());
  await keepAnswer(em, owner, { requestHash, status, body }, now);
  return { status, body, isReplayed: false };
}
