import { type AnySchema, type InferType, ValidationError } from 'yup';
import type { FieldErrors } from '../errors/app-error.ts';
import { validationFailed } from '../errors/errors.ts';

/**
 * Checks `value` against `schema` without converting anything.
 * Throws validation_error with every fault, filed under the top-level field it is in; a fault of the value
 * as a whole, its absence included, is filed under `whole`.
 */
export function validateInput<Schema extends AnySchema>(
  schema: Schema,
  value: unknown,
  whole: string,
): InferType<Schema> {
  // To yup an absent object is a valid one.
  if (value === undefined) throw validationFailed({ [whole]: [`${whole} is required`] });
  try {
    // Nobody reads a fault's stack, and taking one costs more than finding the fault.
    return schema.validateSync(value, { strict: true, abortEarly: false, disableStackTrace: true });
  } catch (failure) {
    if (failure instanceof ValidationError) throw validationFailed(fieldErrors(failure, whole));
    throw failure;
  }
}

function fieldErrors(failure: ValidationError, whole: string): FieldErrors {
  const faults = failure.inner.length > 0 ? failure.inner : [failure];
  const errors = new Map<string, Set<string>>();
  for (const { path, message } of faults) {
    const field = topLevelField(path) ?? whole;
    errors.set(field, (errors.get(field) ?? new Set()).add(message));
  }
  return Object.fromEntries([...errors].map(([field, messages]) => [field, [...messages]]));
}

/** `checklist[3].title` → `checklist`; `["a.b"]` → `a.b`; undefined for the value as a whole. */
function topLevelField(path: string | undefined): string | undefined {
  return path ? (/^\["(.*)"\]$/s.exec(path)?.[1] ?? path.split(/[.[]/, 1)[0]) : undefined;
}
