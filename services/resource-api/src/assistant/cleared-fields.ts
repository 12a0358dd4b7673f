import { invalidField } from '#shared/errors/errors.ts';

/**
 * The members that empty what `clear` names, in the API's words. Throws validation_error when one of them is given a
 * value too: whoever sends both means one of them, and which is not ours to say.
 */
export function clearedFields(
  clear: readonly string[] | undefined,
  given: object,
  inApiWords: Readonly<Record<string, string>>,
): Record<string, null> {
  const fields = (clear ?? []).map((name) => ({ name, field: inApiWords[name] ?? name }));
  const both = fields.find(({ field }) => Object.hasOwn(given, field));
  if (both)
    throw invalidField('clear', `${both.name} is given a value and named in clear: do one of the two.`);
  return Object.fromEntries(fields.map(({ field }) => [field, null]));
}
