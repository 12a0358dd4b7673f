import { createHmac, randomUUID } from 'node:crypto';
import { isUuid } from '#shared/validation/fields.ts';

/** One for each time the form is shown. */
export function newFormNonce(): string {
  return randomUUID();
}

/**
 * The id of the token that a form with this nonce makes: always the same one, so that a form which is sent again, by
 * a reload of its answer, makes no second token. Nobody can choose the id of a token, and so take another's.
 * Undefined for what is no nonce.
 */
export function tokenIdOf(pageSecret: Buffer, accountId: string, nonce: string): string | undefined {
  if (!isUuid(nonce)) return undefined;
  const bytes = createHmac('sha256', pageSecret)
    .update(`api-token\n${accountId}\n${nonce.toLowerCase()}`)
    .digest()
    .subarray(0, 16);
  // Version 8, variant 10: an id of the maker's own making (RFC 9562 §5.8).
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
