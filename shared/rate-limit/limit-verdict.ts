/**
 * What a limiter says about one request. `resetSeconds`: until the oldest counted request leaves the window and its
 * place is free again; `retryAfterSeconds`: until a request would be accepted, 0 when the next one would be.
 */
export type LimitVerdict = {
  limit: number;
  remaining: number;
  resetSeconds: number;
  retryAfterSeconds: number;
  isAllowed: boolean;
};

/** `consumed`: with this request, above `limit` when it is refused. `milliseconds`: until a place is free again. */
export function limitVerdict(limit: number, consumed: number, milliseconds: number): LimitVerdict {
  const remaining = Math.max(0, limit - consumed);
  const resetSeconds = Math.max(0, Math.ceil(milliseconds / 1000));
  const retryAfterSeconds = remaining > 0 ? 0 : resetSeconds;
  return { limit, remaining, resetSeconds, retryAfterSeconds, isAllowed: consumed <= limit };
}
