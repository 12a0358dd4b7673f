import { createHmac, timingSafeEqual } from 'node:crypto';
import { browserSecret } from '../browser/csrf.ts';
import type { Exchange } from '../http/route.ts';
import type { PasswordProof } from './sign-in-service.ts';

const lifetimeMilliseconds = 10 * 60_000;

/**
 * The proof as a field of the form that asks for the second factor: for one browser, and ten minutes. Before the
 * response is sent: it may set a cookie.
 */
export function signProof({ accountId, credentialVersion }: PasswordProof, exchange: Exchange): string {
  const expiresAt = exchange.context.clock.now().getTime() + lifetimeMilliseconds;
  const text = `${accountId}.${credentialVersion}.${expiresAt}`;
  return `${text}.${macOf(text, exchange).toString('base64url')}`;
}

/** Undefined for what this service did not sign for this browser, or too long ago. */
export function readProof(field: string, exchange: Exchange): PasswordProof | undefined {
  const end = field.lastIndexOf('.');
  const text = field.slice(0, Math.max(end, 0));
  const sent = Buffer.from(field.slice(end + 1), 'base64url');
  const expected = macOf(text, exchange);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
  const [accountId = '', credentialVersion, expiresAt] = text.split('.');
  if (Number(expiresAt) <= exchange.context.clock.now().getTime()) return undefined;
  return { accountId, credentialVersion: Number(credentialVersion) };
}

function macOf(text: string, exchange: Exchange): Buffer {
  return createHmac('sha256', exchange.context.pageSecret)
    .update(`password-proof\n${browserSecret(exchange)}\n${text}`)
    .digest();
}
