import type { Response } from 'express';
import { AppError } from '../errors/app-error.ts';

/** `resetSeconds`: until the oldest counted request leaves the window. */
export type LimitVerdict = {
  limit: number;
  remaining: number;
  resetSeconds: number;
  isAllowed: boolean;
};

/**
 * `consumed`: including this request, above `limit` if refused. `milliseconds`: until a request leaves the
 * window.
 */
export function limitVerdict(limit: number, consumed: number, milliseconds: number): LimitVerdict {
  const remaining = Math.max(0, limit - consumed);
  const resetSeconds = Math.max(0, Math.ceil(milliseconds / 1000));
  return { limit, remaining, resetSeconds, isAllowed: consumed <= limit };
}

/** Sets the headers, and throws rate_limited with Retry-After if the request is refused. */
export function applyVerdict(res: Response, verdict: LimitVerdict): void {
  showVerdict(res, verdict);
  if (verdict.isAllowed) return;
  const seconds = retryAfterSecondsOf(verdict);
  throw new AppError('rate_limited', {
    message: `Too many requests. ${whenToGoOn(seconds)}`,
    headers: { 'Retry-After': String(seconds) },
  });
}

export function whenToGoOn(retryAfterSeconds: number): string {
  return `Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}.`;
}

/**
 * Sets RateLimit-Limit, -Remaining and -Reset (draft-ietf-httpapi-ratelimit-headers-01 §3) for the tightest
 * verdict of this response, unless headers were sent.
 */
export function showVerdict(res: Response, verdict: LimitVerdict): void {
  if (res.headersSent || !isTighterThanShown(res, verdict)) return;
  res.setHeader('RateLimit-Limit', String(verdict.limit));
  res.setHeader('RateLimit-Remaining', String(verdict.remaining));
  res.setHeader('RateLimit-Reset', String(verdict.resetSeconds));
}

/** Until another request may be accepted: whole seconds, at least 1. */
export function retryAfterSecondsOf({ resetSeconds }: LimitVerdict): number {
  return Math.max(1, resetSeconds);
}

/** Fewer remaining requests (§4), or the longer wait. */
function isTighterThanShown(res: Response, verdict: LimitVerdict): boolean {
  const shown = res.getHeader('RateLimit-Remaining');
  if (shown === undefined || !verdict.isAllowed) return true;
  if (verdict.remaining !== Number(shown)) return verdict.remaining < Number(shown);
  return verdict.resetSeconds > Number(res.getHeader('RateLimit-Reset'));
}
