import { codePointLength } from '#shared/validation/text-rules.ts';

const minimumLength = 32;

/** What is wrong with the secret, or undefined. */
export function checkKeyEncryptionSecret(secret: string): string | undefined {
  return codePointLength(secret) < minimumLength
    ? `must have at least ${minimumLength} characters`
    : undefined;
}
