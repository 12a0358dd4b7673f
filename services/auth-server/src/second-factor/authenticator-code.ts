import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** RFC 4226 §4, R6 recommends 160 bits. */
const secretBytes = 20;
const periodSeconds = 30;
/** Steps before and after the present one: the clocks of phones differ (RFC 6238 §5.2). */
const toleratedSteps = 1;

export function makeAuthenticatorSecret(): Buffer {
  return randomBytes(secretBytes);
}

/** The content of the QR code, and the secret to type without a camera. */
export function describeSecret(
  secret: Buffer,
  { issuer, email }: { issuer: string; email: string },
): { uri: string; text: string } {
  const totp = generator(secret, issuer, email);
  const text = totp.secret.base32.replaceAll(/.{4}(?=.)/g, '$& ');
  return { uri: totp.toString(), text };
}

/** The time step of the code; undefined if it matches no step near `now`. */
export function findStep(secret: Buffer, code: string, now: Date): number | undefined {
  // NFKC: East Asian keyboards type wide digits.
  const token = code.normalize('NFKC').replaceAll(/\s/g, '');
  // Of six characters that take more bytes the library throws.
  if (!/^\d{6}$/.test(token)) return undefined;
  const totp = generator(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token, timestamp, window: toleratedSteps });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

/** The algorithm, digits and period that every app supports. */
function generator(secret: Buffer, issuer = '', label = ''): TOTP {
  const bytes = new Uint8Array(secret).buffer;
  return new TOTP({
    issuer,
    label,
    algorithm: 'SHA1',
    digits: 6,
    period: periodSeconds,
    secret: new Secret({ buffer: bytes }),
  });
}
