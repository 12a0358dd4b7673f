import { isDeepStrictEqual } from 'node:util';
import { decodeProtectedHeader } from 'jose';
import { type RequestSource, sendOnce } from '../measure/load.ts';

type Asked = { port: number; source: RequestSource };

/**
 * Refreshes once at each of both. Throws unless the second gives what the first does: an access token of the same kind
 * and life, and a new refresh token, with which the source goes on.
 */
export async function requireSameRefresh(ours: Asked, theirs: Asked, signal: AbortSignal): Promise<void> {
  const given = [await refreshOnce(ours, signal), await refreshOnce(theirs, signal)];
  if (isDeepStrictEqual(given[0], given[1]) && given[0]?.rotates) return;
  throw new Error(`the peer's refresh is another: ${given.map((kind) => JSON.stringify(kind)).join(', ')}`);
}

async function refreshOnce({ port, source }: Asked, signal: AbortSignal) {
  const request = source.next();
  const { status, body } = await sendOnce(port, request, signal);
  if (status !== 200 || body === undefined) throw new Error(`a refresh is answered with ${status}: ${body}`);
  source.hear?.(body);
  const answer: { access_token: string; expires_in: number; refresh_token: string } = JSON.parse(
    String(body),
  );
  const { alg, typ } = decodeProtectedHeader(answer.access_token);
  return {
    algorithm: alg,
    type: typ,
    lifeSeconds: answer.expires_in,
    rotates: !String(request).includes(answer.refresh_token),
  };
}
