import { type AnySchema, type InferType, ValidationError } from 'yup';
import type { FieldErrors } from '../errors/app-error.ts';
import { validationFailed } from '../errors/errors.ts';

/**
 * Checks `value` against `schema` without conversion. Throws validation_error with every error under its
 * top-level field, or under `whole` for the value as a whole.
 */
export function validateInput<Schema extends AnySchema>(
  schema: Schema,
  value: unknown,
  whole: string,
): InferType<Schema> {
  // yup accepts an absent object.
  if (value === undefined) throw validationFailed({ [whole]: [`${whole} is required`] });
  try {
    // Stack traces of validation errors are not used, and are slow.
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
