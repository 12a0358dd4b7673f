import { domainToASCII, domainToUnicode } from 'node:url';
import { string } from 'yup';
import { plans } from '#shared/plans.ts';
import { isTimeZone } from '#shared/time/calendar-date.ts';
import { closedObject, enumeration, flag, text } from '#shared/validation/fields.ts';
import { codePointLength } from '#shared/validation/text-rules.ts';
import { accountStatuses } from './account-entity.ts';

const minimumPasswordLength = 8;
const maximumPasswordLength = 1_024;
const maximumEmailLength = 254;
/** Angle brackets delimit addresses in SMTP (RFC 5321 §4.1.2). */
const emailShape = /^[^\p{White_Space}\p{Cc}@<>]+@[^\p{White_Space}\p{Cc}@<>]+$/u;

function email() {
  return string().test(
    'email',
    '${path} must be an e-mail address of at most 254 characters',
    (value) =>
      value === undefined ||
      (value.isWellFormed() && codePointLength(value) <= maximumEmailLength && emailShape.test(value)),
  );
}

/** Addresses are equal if their folded forms are. */
export function foldEmailAddress(address: string): string {
  return address.normalize('NFC').toLowerCase();
}

/**
 * Folded, in the spellings of an international domain, the sent one first: browsers send it in Unicode or in
 * ASCII (RFC 5891), and the address is stored as it was sent.
 */
export function spellingsOf(address: string): string[] {
  const folded = foldEmailAddress(address);
  const start = folded.lastIndexOf('@') + 1;
  const domain = folded.slice(start);
  // Excludes spellings that only map to the same domain, such as fullwidth letters.
  const others = [domainToASCII(domain), domainToUnicode(domain)].filter(
    (spelled) => spelled !== domain && [domainToASCII(spelled), domainToUnicode(spelled)].includes(domain),
  );
  return [folded, ...others.map((spelled) => folded.slice(0, start) + spelled)];
}

function password() {
  return string().test('password', '${path} must have 8 to 1,024 characters', (value) => {
    if (value === undefined) return true;
    const length = codePointLength(value);
    return value.isWellFormed() && length >= minimumPasswordLength && length <= maximumPasswordLength;
  });
}

function timezone() {
  return string().test(
    'timezone',
    '${path} must be the name of a time zone, such as Europe/Berlin',
    (value) => value === undefined || isTimeZone(value),
  );
}

export const accountCreateInput = closedObject({
  email: email().defined(),
  password: password().defined(),
  plan: enumeration(plans),
  timezone: timezone(),
});

export const accountUpdateInput = closedObject({
  newEmail: email(),
  plan: enumeration(plans),
  timezone: timezone(),
  status: enumeration(accountStatuses),
  password: password(),
  revokeApiTokens: flag(),
});

export const addressChangeInput = closedObject({ email: email().defined() });

export const passwordChangeInput = closedObject({
  // The password may follow an earlier rule; it only has to match.
  currentPassword: text(maximumPasswordLength).defined(),
  newPassword: password().defined(),
  revokeApiTokens: flag().defined(),
});

export const passwordResetInput = closedObject({
  password: password().defined(),
  revokeApiTokens: flag().defined(),
});

export const profileInput = closedObject({ timezone: timezone().defined() });
