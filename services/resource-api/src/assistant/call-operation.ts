import { AppError, type FieldErrors } from '#shared/errors/app-error.ts';
import { closedObject } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { requireScope } from '../http/authorize-request.ts';
import { checkPathIds } from '../http/mount-routes.ts';
import type { WriteWrapper } from '../http/route.ts';
import { routes } from '../routes.ts';
import { appWriteRoutes } from '../web-app/write-routes.ts';
import type { ToolCall } from './tool.ts';

/** Includes the web app's operations: assistants use some that the public API does not have. */
const routesById = new Map(
  [...appWriteRoutes, ...routes].map((route) => [route.operation.operationId, route]),
);
const noBody = closedObject({});

export type OperationInput = { params?: Record<string, string>; query?: object; body?: object };

/**
 * Runs an operation of the API with the checks of a request by the same token; `wrap` runs in its
 * transaction. Throws the operation's errors, with the tools' field names.
 */
export async function callOperation<Body>(
  { context, principal }: ToolCall,
  operationId: string,
  { params = {}, query, body = {} }: OperationInput,
  wrap?: WriteWrapper<Body>,
): Promise<Body> {
  const route = routesById.get(operationId);
  if (route === undefined) throw new Error(`there is no operation ${operationId}`);
  const { operation } = route;
  try {
    requireScope(operation, principal);
    const checkedQuery = operation.query && validateInput(operation.query, query ?? {}, 'query');
    const checkedBody =
      operation.method === 'get' ? undefined : validateInput(operation.body ?? noBody, body, 'body');
    const request = { params: checkPathIds(params), query: checkedQuery, body: checkedBody };
    // The operation's presenter returns the shape of its contract.
    return (await route.execute(context, principal, request, wrap as WriteWrapper | undefined)) as Body;
  } catch (error) {
    throw error instanceof AppError ? withToolNames(error) : error;
  }
}

/** Fields that have another name in the tools than in the API. */
const toolNames = new Map([
  ['description', 'notes'],
  ['recurrence', 'repeat'],
  ['projectId', 'project'],
  ['sectionId', 'section'],
  ['areaId', 'area'],
  ['patched', 'changed'],
  ['uncancel', 'reopen'],
  ['uncomplete', 'reopen'],
]);

function withToolNames({ code, message, errors, headers, cause }: AppError): AppError {
  const renamed = errors && Object.entries(errors).map(([field, all]) => [rename(field), all.map(rename)]);
  const fields: FieldErrors | undefined = renamed && Object.fromEntries(renamed);
  return new AppError(code, { message: rename(message), headers, cause, errors: fields });
}

function rename(text: string): string {
  return text.replace(/[a-z]+/gi, (word) => toolNames.get(word) ?? word);
}
