import { createPublicKey } from 'node:crypto';
import { invalidField, validationFailed } from '#shared/errors/errors.ts';

/** What `PushSubscription.toJSON()` returns, without its expiry (W3C Push API). */
export type PushTarget = { endpoint: string; p256dh: string; authSecret: string };

/** The push services of the browsers; `*.` stands for one label or more. */
const browserServices = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.notify.windows.com',
  '*.push.apple.com',
];

const maximumEndpointLength = 2_048;

export type PushServices = ReturnType<typeof createPushServices>;

/**
 * The permitted endpoints: the browsers' push services on public addresses, and hosts named by the operator.
 * Any other endpoint would let a user send requests anywhere from this service.
 */
export function createPushServices(ownHosts: readonly string[]) {
  const own = new Set(ownHosts.map((host) => host.toLowerCase()));
  return {
    /** Whether the operator named the host, so that its address may be private. */
    isOwnHost: (host: string) => own.has(host),
    /** Throws validation_error on `endpoint` or `keys`. */
    requireTarget({ endpoint, p256dh, authSecret }: PushTarget): void {
      const url = URL.parse(endpoint);
      if (url === null || url.protocol !== 'https:' || endpoint.length > maximumEndpointLength)
        throw invalidField('endpoint', 'endpoint must be an https URL of at most 2,048 characters.');
      const isPlain = `${url.username}${url.password}${url.hash}` === '';
      const isOfBrowser = url.port === '' && browserServices.some((name) => isHostOf(url.hostname, name));
      if (!isPlain || !(isOfBrowser || own.has(url.host)))
        throw invalidField('endpoint', 'endpoint is not the address of a push service that is known here.');
      if (!isPublicKey(p256dh) || !isAuthSecret(authSecret))
        throw validationFailed({ keys: ['keys must be the p256dh and auth of a push subscription.'] });
    },
  };
}

function isHostOf(hostname: string, name: string): boolean {
  return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name;
}

/** RFC 8291 §3.1: a point on P-256, uncompressed. */
function isPublicKey(text: string): boolean {
  const point = bytesOf(text);
  if (point?.length !== 65 || point[0] !== 4) return false;
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  try {
    createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' });
    return true;
  } catch {
    return false;
  }
}

/** RFC 8291 §3.2. */
function isAuthSecret(text: string): boolean {
  return bytesOf(text)?.length === 16;
}

function bytesOf(text: string): Buffer | undefined {
  return /^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined;
}
