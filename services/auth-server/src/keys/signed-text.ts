import { createHmac, timingSafeEqual } from 'node:crypto';

/** Signs `text` for a purpose. */
export function signText(secret: Buffer, purpose: string, text: string): string {
  return `${text}.${signatureOf(secret, purpose, text).toString('base64url')}`;
}

/** Returns the text; undefined unless this service signed it for this purpose. */
export function readSignedText(secret: Buffer, purpose: string, signed: string): string | undefined {
  const end = Math.max(signed.lastIndexOf('.'), 0);
  const text = signed.slice(0, end);
  const sent = Buffer.from(signed.slice(end + 1), 'base64url');
  const expected = signatureOf(secret, purpose, text);
  return sent.length === expected.length && timingSafeEqual(sent, expected) ? text : undefined;
}

function signatureOf(secret: Buffer, purpose: string, text: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\n${text}`).digest();
}
