import { browserSecret } from '../browser/csrf.ts';
import type { Exchange } from '../http/route.ts';
import { readSignedText, signText } from '../keys/signed-text.ts';
import type { PasswordProof } from './sign-in-service.ts';

const lifetimeMilliseconds = 10 * 60_000;

/**
 * The proof as a field of the form for the second factor, valid for this browser and ten minutes. May set a
 * cookie, so call it before the response is sent.
 */
export function signProof({ accountId, credentialVersion }: PasswordProof, exchange: Exchange): string {
  const expiresAt = exchange.context.clock.now().getTime() + lifetimeMilliseconds;
  const text = `${accountId}.${credentialVersion}.${expiresAt}`;
  return signText(exchange.context.pageSecret, purposeOf(exchange), text);
}

/** undefined unless this service signed it for this browser. */
export function readProof(
  field: string,
  exchange: Exchange,
): (PasswordProof & { isTooOld: boolean }) | undefined {
  const text = readSignedText(exchange.context.pageSecret, purposeOf(exchange), field);
  if (text === undefined) return undefined;
  const [accountId = '', credentialVersion, expiresAt] = text.split('.');
  const isTooOld = Number(expiresAt) <= exchange.context.clock.now().getTime();
  return { accountId, credentialVersion: Number(credentialVersion), isTooOld };
}

function purposeOf(exchange: Exchange): string {
  return `password-proof\n${browserSecret(exchange)}`;
}
