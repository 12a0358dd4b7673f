import { scopes } from '#shared/scopes.ts';
import { closedObject, enumeration, listOf, timestamp, title } from '#shared/validation/fields.ts';

export const apiTokenInput = closedObject({
  name: title(200).defined(),
  scopes: listOf(enumeration(scopes).defined(), scopes.length)
    .min(1, '${path} must name at least one scope')
    .defined(),
  expiresAt: timestamp().nullable(),
});
