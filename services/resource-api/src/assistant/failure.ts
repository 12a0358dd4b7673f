import { type InferType, string } from 'yup';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { toAppError } from '#shared/http/problem.ts';
import { closedObject, listOf } from '#shared/validation/fields.ts';
import { NameError } from './names.ts';
import type { ToolCall } from './tool.ts';

export const failure = closedObject({
  code: string().defined().meta({ description: 'What kind of failure it is.' }),
  message: string().defined().meta({ description: 'What went wrong, and what to do next.' }),
  field: string().meta({ description: 'The input it is about.' }),
  candidates: listOf(
    closedObject({
      id: string().defined().meta({ description: 'Use this.' }),
      title: string().defined().meta({ description: 'The name.' }),
      within: string().meta({ description: 'Its area or project.' }),
    }).defined(),
    10,
  )
    .optional()
    .meta({ description: 'What a name could have meant.' }),
});

export type Failure = InferType<typeof failure>;

/** What to do about it, where that is not plain from the message. */
const nextSteps: Readonly<Record<string, string>> = {
  not_found: 'There is nothing with that id. Look it up with find_tasks or list_projects; don’t guess ids.',
  account_suspended: 'The account is suspended: it can be read, not changed. Tell the person.',
  insufficient_scope: 'This connection may not do that. The person can connect again and allow it.',
  rate_limited: 'Too many requests. Wait a minute, then go on with the entries that are left.',
  service_unavailable: 'The service is busy. Try this entry again in a moment.',
};

/** The API's names of what the tools call otherwise. */
const inToolWords: Readonly<Record<string, string>> = {
  description: 'notes',
  recurrence: 'repeat',
  projectId: 'project',
  sectionId: 'section',
  areaId: 'area',
};

/** A failure in words a model can act on; what went wrong inside stays in the log. */
export function describeFailure(call: Pick<ToolCall, 'context' | 'requestId'>, error: unknown): Failure {
  if (error instanceof NameError) return describeNameError(error);
  const failed = toAppError(error);
  if (errorCatalogue[failed.code].status >= 500) {
    call.context.logger.error({ err: failed.cause ?? failed, requestId: call.requestId }, failed.message);
  }
  if (failed.code === 'internal_error') {
    const message = `Something went wrong on our side; request id ${call.requestId}. Tell the person, and look before you try again.`;
    return { code: failed.code, message };
  }
  const [field, messages] = Object.entries(failed.errors ?? {})[0] ?? [];
  return {
    code: failed.code,
    message: nextSteps[failed.code] ?? messages?.join('; ') ?? failed.message,
    ...(field !== undefined && { field: inToolWords[field] ?? field }),
  };
}

function describeNameError({ message, candidates }: NameError): Failure {
  const list = candidates.map(
    ({ id, title, within }) => `«${title}»${within ? ` in ${within}` : ''} (${id})`,
  );
  const known = list.length === 0 ? 'There is none yet.' : `There are: ${list.join(', ')}.`;
  return {
    code: 'name_not_resolved',
    message: `${message} ${known}`,
    candidates: candidates.map(({ id, title, within }) => ({ id, title, ...(within && { within }) })),
  };
}
