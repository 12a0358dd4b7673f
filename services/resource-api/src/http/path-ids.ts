import { notFound } from '#shared/errors/errors.ts';
import { isUuid } from '#shared/validation/fields.ts';

/** The ids of a path in lower case. Throws not_found: a malformed id is answered like a missing one. */
export function checkPathIds(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const ids = Object.entries(params).map(([name, value]) => {
    if (!isUuid(value)) throw notFound();
    return [name, value.toLowerCase()];
  });
  return Object.fromEntries(ids);
}
