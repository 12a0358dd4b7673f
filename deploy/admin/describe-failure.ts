import { ConfigError } from '#shared/config/read-env.ts';
import { DatabaseUnavailableError, isDatabaseUnavailable } from '#shared/database/database-unavailable.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { codeOf } from '#shared/errors/error-code.ts';
import { refusalOf } from '#shared/startup/startup-check.ts';

/** Undefined schema, table, column, function or role. */
const notMigrated = new Set(['3F000', '42P01', '42703', '42883', '22023']);

/** One line for the operator. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return 'something went wrong';
  if (error instanceof AppError) return describeAppError(error);
  const code = codeOf(error);
  if (isDatabaseUnavailable(error)) return describeUnreachable(error);
  if (notMigrated.has(code)) return 'the database is not migrated; run npm run migrate first';
  if (error instanceof ConfigError) return oneLine(error.message);
  // MikroORM adds details in further lines.
  return oneLine(error.message.split('\n', 1).join());
}

/** A lock or an answer that was waited for in vain, a deadlock, a serialisation failure. */
const busy = new Set(['55P03', '57014', '40P01', '40001']);

/** The driver's own errors, such as those of TLS, have no code. */
export function describeUnreachable(error: Error): string {
  if (error.cause instanceof Error) return describeUnreachable(error.cause);
  const code = codeOf(error);
  if (busy.has(code)) return `the database is busy, as during a migration (${code}); try again`;
  const refusal = refusalOf(error);
  if (refusal !== undefined) return `PostgreSQL ${refusal} (${code})`;
  const reason = error instanceof DatabaseUnavailableError ? error.message : code || error.message;
  return `the database can't be reached (${oneLine(reason)})`;
}

function describeAppError({ message, errors }: AppError): string {
  if (errors === undefined) return oneLine(message);
  const faults = Object.entries(errors).flatMap(([field, messages]) =>
    messages.map((fault) =>
      fault.startsWith(field) ? `--${kebab(field)}${fault.slice(field.length)}` : fault,
    ),
  );
  return oneLine(faults.join('; '));
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

function kebab(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
