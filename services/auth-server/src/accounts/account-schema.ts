import { string } from 'yup';
import { isTimeZone } from '#shared/time/calendar-date.ts';
import { closedObject, enumeration, flag, text } from '#shared/validation/fields.ts';
import { codePointLength } from '#shared/validation/text-rules.ts';
import { accountStatuses, plans } from './account-entity.ts';
import { isCommonPassword } from './common-passwords.ts';
import { isEmailAddress } from './email-address.ts';

const minimumPasswordLength = 8;
const maximumPasswordLength = 1_024;

function email() {
  return string().test('email', '${path} must be an e-mail address of at most 254 characters', (value) => {
    return value === undefined || isEmailAddress(value);
  });
}

function password() {
  return string()
    .test('password', '${path} must have 8 to 1,024 characters', (value) => {
      if (value === undefined) return true;
      const length = codePointLength(value);
      return value.isWellFormed() && length >= minimumPasswordLength && length <= maximumPasswordLength;
    })
    .test('common', '${path} must not be one of the most common passwords', (value) => {
      return value === undefined || !isCommonPassword(value);
    });
}

function timezone() {
  return string().test(
    'timezone',
    '${path} must be the name of a time zone, such as Europe/Berlin',
    (value) => {
      return value === undefined || isTimeZone(value);
    },
  );
}

export const accountCreateInput = closedObject({
  email: email().defined(),
  password: password().defined(),
  plan: enumeration(plans),
  timezone: timezone(),
});

export const accountUpdateInput = closedObject({
  plan: enumeration(plans),
  timezone: timezone(),
  status: enumeration(accountStatuses),
  password: password(),
});

export const passwordChangeInput = closedObject({
  // Whatever was once accepted; only its match counts.
  currentPassword: text(maximumPasswordLength).defined(),
  newPassword: password().defined(),
  revokeApiTokens: flag().defined(),
});

export const profileInput = closedObject({ timezone: timezone().defined() });
