import type { IncomingMessage } from 'node:http';
import { clientAddress } from '#shared/rate-limit/client-address.ts';

export const actors = ['owner', 'app', 'operator', 'service'] as const;

/** Who asked, and from where; the audit trail keeps it. */
export type Origin = {
  actor: (typeof actors)[number];
  address: string | null;
  /** At most 500 characters of what the client calls itself. */
  userAgent: string | null;
};

export const operatorOrigin: Origin = { actor: 'operator', address: null, userAgent: null };

const userAgentLength = 500;

/** `owner` for what a signed-in person does in a browser, `app` for what a client's own request causes. */
export function requestOrigin(
  req: IncomingMessage,
  trustedProxyHops: number,
  actor: 'owner' | 'app',
): Origin {
  // Node reads header bytes as Latin-1, so this can hold no lone surrogate; U+0000 never passes its parser.
  const userAgent = req.headers['user-agent']?.slice(0, userAgentLength) ?? null;
  return { actor, address: clientAddress(req, trustedProxyHops), userAgent };
}
