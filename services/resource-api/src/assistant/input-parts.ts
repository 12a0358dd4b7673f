import { invalidField } from '#shared/errors/errors.ts';

/** More than twice what an entry holds at the most. */
const maximumValues = 2_000;

/**
 * To check a part of the input must cost no more than to check a body of the API. The entries of a list are parts of
 * their own; those of a batch are checked one by one, with time for other requests in between.
 */
export function requireSmallParts(input: unknown): void {
  for (const [name, member] of Object.entries(Object(input))) {
    const parts = Array.isArray(member) && member.length <= maximumValues ? member : [member];
    if (parts.every((part) => countValues(part) <= maximumValues)) continue;
    throw invalidField(name, `${name} holds more than ${maximumValues} values in one place.`);
  }
}

/** The body's reader has bounded the depth. */
function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce((count, member) => count + 1 + countValues(member), 0);
}
