import { randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

/** `tms_`, 37 random base62 characters (220 bits), and their CRC-32 as 6 base62 characters. */
export const apiTokenPrefix = 'tms_';
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 37;
const checksumLength = 6;
const shape = new RegExp(`^${apiTokenPrefix}[0-9A-Za-z]{${randomLength + checksumLength}}$`);

export function mintApiToken(): string {
  const random = Array.from({ length: randomLength }, () => alphabet.charAt(randomInt(alphabet.length))).join(
    '',
  );
  return `${apiTokenPrefix}${random}${checksum(random)}`;
}

/** Whether the text has the form and checksum of a token: typos are refused without a query. */
export function isApiToken(text: string): boolean {
  if (!shape.test(text)) return false;
  const random = text.slice(apiTokenPrefix.length, -checksumLength);
  return text.endsWith(checksum(random));
}

function checksum(random: string): string {
  let rest = crc32(random);
  let digits = '';
  do {
    digits = alphabet.charAt(rest % alphabet.length) + digits;
    rest = Math.floor(rest / alphabet.length);
  } while (rest > 0);
  return digits.padStart(checksumLength, '0');
}
