import { ArraySchema, type InferType, ObjectSchema, string } from 'yup';
import type { AppError } from '#shared/errors/app-error.ts';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { toAppError } from '#shared/http/problem.ts';
import { closedObject, listOf } from '#shared/validation/fields.ts';
import { NameError } from './match-names.ts';
import { inOneLine } from './names.ts';
import type { ToolCall } from './tool.ts';

export const failure = closedObject({
  code: string().defined(),
  message: string().defined(),
  /** The input field that is wrong. */
  field: string(),
  /** Possible matches of an ambiguous or unknown name. */
  candidates: listOf(
    closedObject({ id: string().defined(), title: string().defined(), within: string() }).defined(),
    10,
  ).optional(),
});

type Failure = InferType<typeof failure>;

/** The next step for errors whose message does not name one. */
const nextSteps = ({ canRead }: ToolCall): Readonly<Record<string, string>> => ({
  not_found:
    'There is nothing with that id. ' +
    `${canRead ? 'Look it up with find_tasks or list_projects; don’t' : 'Don’t'} guess ids.`,
  account_suspended: 'The account is suspended: it can be read, not changed. Tell the person.',
  insufficient_scope: 'This connection may not do that. The person can connect again and allow it.',
  version_changed: 'Somebody else changed the task at the same moment, this entry nothing: send it again.',
  service_unavailable: 'The service is busy. Try this entry again in a moment.',
});

/** The same for errors of a field, by the end of their message. */
const advice: readonly (readonly [RegExp, (canRead: boolean) => string])[] = [
  [/ must not be null$/, () => ': leave it out, or to empty it name it in clear where the tool has that'],
  [/ must be a UUID$/, (canRead) => `, not a title${canRead ? ': look it up with find_tasks' : ''}`],
];

/** Captures the path of the parent, if any. */
const unknownField = /^(?:([^ ]+)\.)?[^.[\]]+ is not a field of this operation$/;

const maximumFaults = 10;

/** Describes an error so that a model can act on it. Details of internal errors go to the log alone. */
export function describeFailure(call: ToolCall, error: unknown, schema?: unknown): Failure {
  if (error instanceof NameError) return describeNameError(error);
  const failed = toAppError(error);
  if (errorCatalogue[failed.code].status >= 500) {
    call.context.logger.error({ err: failed.cause ?? failed, requestId: call.requestId }, failed.message);
  }
  if (failed.code === 'internal_error') {
    const message =
      `Something went wrong on our side; request id ${call.requestId}. ` +
      'Tell the person, and look before you try again.';
    return { code: failed.code, message };
  }
  const [field] = Object.keys(failed.errors ?? {});
  return {
    code: failed.code,
    message: nextSteps(call)[failed.code] ?? faultsOf(failed, schema, call.canRead).join('; '),
    ...(field !== undefined && { field }),
  };
}

/**
 * One sentence per error of the input. After the first unknown field of a schema, its known fields are listed
 * once.
 */
export function faultsOf({ errors, message }: AppError, schema?: unknown, canRead = true): string[] {
  const given = new Set<string>();
  const faults = (errors ? Object.values(errors).flat() : [message]).map((fault) => {
    const advised = advice.find(([ending]) => ending.test(fault))?.[1](canRead);
    const further = advised ?? describeKnown(fault, schema) ?? '';
    const isRepeated = given.has(further);
    given.add(further);
    return isRepeated ? fault : fault + further;
  });
  const left = faults.length - maximumFaults;
  return left > 0 ? [...faults.slice(0, maximumFaults), `and ${left} more`] : faults;
}

function describeKnown(fault: string, schema: unknown): string | undefined {
  const [isUnknown, path = ''] = unknownField.exec(fault) ?? [];
  const within = isUnknown === undefined ? undefined : schemaAt(schema, path);
  if (!(within instanceof ObjectSchema)) return undefined;
  return `; there are: ${Object.keys(within.fields).join(', ') || 'none'}`;
}

/** The schema at a path such as `checklist[0]`. */
function schemaAt(schema: unknown, path: string): unknown {
  return (path.match(/[^.[\]]+/g) ?? []).reduce((within: unknown, name) => {
    if (within instanceof ArraySchema) return within.innerType;
    return within instanceof ObjectSchema ? within.fields[name] : undefined;
  }, schema);
}

function describeNameError({ message, candidates, rest }: NameError): Failure {
  const list = candidates.map(
    ({ id, title, within, state }) =>
      `«${inOneLine(title)}»${within ? ` in ${inOneLine(within)}` : ''}${state ? `, ${state}` : ''} (${id})`,
  );
  const known =
    list.length === 0 ? 'There are none.' : `There are: ${[...list, rest].filter(Boolean).join(', ')}.`;
  return {
    code: 'name_not_resolved',
    message: `${inOneLine(message)} ${known}`,
    candidates: candidates.map(({ id, title, within }) => ({ id, title, ...(within && { within }) })),
  };
}
