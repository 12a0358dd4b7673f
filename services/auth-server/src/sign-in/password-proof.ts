import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Request, Response } from 'express';
import { browserSecret } from '../browser/csrf.ts';
import type { Context } from '../context.ts';
import type { PasswordProof } from './sign-in-service.ts';

const lifetimeMilliseconds = 10 * 60_000;

type Signing = { pageSecret: Buffer; now: Date; browserSecret: string };

/** For the browser that sent the request. Before the response is sent: it may set a cookie. */
export function proofSigning(context: Context, req: Request, res: Response): Signing {
  const { pageSecret, clock } = context;
  return { pageSecret, now: clock.now(), browserSecret: browserSecret(context, req, res) };
}

/** The proof as a field of the form that asks for the second factor: for one browser, and ten minutes. */
export function signProof({ accountId, credentialVersion }: PasswordProof, signing: Signing): string {
  const text = `${accountId}.${credentialVersion}.${signing.now.getTime() + lifetimeMilliseconds}`;
  return `${text}.${macOf(text, signing).toString('base64url')}`;
}

/** Undefined for what this service did not sign for this browser, or too long ago. */
export function readProof(field: string, signing: Signing): PasswordProof | undefined {
  const end = field.lastIndexOf('.');
  const text = field.slice(0, Math.max(end, 0));
  const sent = Buffer.from(field.slice(end + 1), 'base64url');
  const expected = macOf(text, signing);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined;
  const [accountId = '', credentialVersion, expiresAt] = text.split('.');
  if (Number(expiresAt) <= signing.now.getTime()) return undefined;
  return { accountId, credentialVersion: Number(credentialVersion) };
}

function macOf(text: string, { pageSecret, browserSecret }: Signing): Buffer {
  return createHmac('sha256', pageSecret).update(`password-proof\n${browserSecret}\n${text}`).digest();
}
