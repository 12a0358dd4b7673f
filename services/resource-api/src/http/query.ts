import type { AnyObjectSchema } from 'yup';
import type { FieldErrors } from '#shared/errors/app-error.ts';
import { validationFailed } from '#shared/errors/errors.ts';
import { validateInput } from '#shared/validation/validate-input.ts';

/** Given more than once it takes the default, as every other odd value of it does (specification §4, paging). */
const neverRejected = 'limit';
/** An empty cursor is what a client sends that fills in «no cursor yet». */
const absentWhenEmpty = 'cursor';

/** The parameters that `schema` names, checked; unknown ones are ignored. Throws validation_error. */
export function readQuery(schema: AnyObjectSchema, sent: URLSearchParams): unknown {
  const values: Record<string, string> = {};
  const errors: FieldErrors = {};
  for (const name of Object.keys(schema.fields)) {
    const [value, ...further] = sent.getAll(name).filter((text) => text !== '' || name !== absentWhenEmpty);
    if (value === undefined) continue;
    if (further.length === 0) values[name] = value;
    else if (name !== neverRejected) errors[name] = [`${name} must be given once`];
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return validateInput(schema, values, 'query');
}
