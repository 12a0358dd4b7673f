import { closedObject } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { requireScope } from '../http/authorize-request.ts';
import { checkPathIds } from '../http/path-ids.ts';
import type { FurtherWork } from '../http/route.ts';
import { routes } from '../routes.ts';
import type { ToolCall } from './tool.ts';
import { inToolWords } from './tool-words.ts';

const routesById = new Map(routes.map((route) => [route.operation.operationId, route]));
const noBody = closedObject({});

export type OperationInput = { params?: Record<string, string>; query?: object; body?: object };

/**
 * Runs an operation of the API as a request of the same token would: same checks, same code, same feed.
 * `further` is done in the same write: both, or neither. Throws whatever the operation answers with, in the tools' words.
 */
export async function callOperation<Answer>(
  { context, principal }: Pick<ToolCall, 'context' | 'principal'>,
  operationId: string,
  { params = {}, query, body = {} }: OperationInput,
  further?: FurtherWork<Answer>,
): Promise<Answer> {
  const route = routesById.get(operationId);
  if (route === undefined) throw new Error(`there is no operation ${operationId}`);
  const { operation } = route;
  return inToolWords(async () => {
    requireScope(operation, principal);
    const checkedQuery = operation.query && validateInput(operation.query, query ?? {}, 'query');
    const checkedBody =
      operation.method === 'get' ? undefined : validateInput(operation.body ?? noBody, body, 'body');
    const request = { params: checkPathIds(params), query: checkedQuery, body: checkedBody };
    // The operation's own presenter makes the answer, in the shape its contract says.
    const furtherWork: FurtherWork | undefined =
      further && ((session, answer) => further(session, answer as Answer));
    return (await route.answer(context, principal, request, furtherWork)) as Answer;
  });
}
