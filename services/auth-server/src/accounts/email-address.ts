import { codePointLength } from '#shared/validation/text-rules.ts';

const shape = /^[^\p{White_Space}\p{Cc}@]+@[^\p{White_Space}\p{Cc}@]+$/u;

/** Whether the text can be an address at all; only sending mail there would tell whether it is one. */
export function isEmailAddress(text: string): boolean {
  return text.isWellFormed() && codePointLength(text) <= 254 && shape.test(text);
}

/** Two addresses are the same when this is. */
export function foldEmailAddress(email: string): string {
  return email.normalize('NFC').toLowerCase();
}
