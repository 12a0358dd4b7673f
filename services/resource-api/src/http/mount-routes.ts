import { type NextFunction, type Request, type RequestHandler, type Response, Router } from 'express';
import type { AnyObjectSchema } from 'yup';
import { AppError, type FieldErrors } from '#shared/errors/app-error.ts';
import { methodNotAllowed, notFound, validationFailed } from '#shared/errors/errors.ts';
import type { Operation } from '#shared/http/operation.ts';
import { queryOf, readJsonBody } from '#shared/http/request-input.ts';
import { pathOf } from '#shared/http/request-route.ts';
import { changesData } from '#shared/scopes.ts';
import { closedObject, isUuid } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import { readIdempotencyKey } from '../idempotency/run-idempotent.ts';
import { authorizeRequest, readAuthorizedBody } from './authorize-request.ts';
import type { KeyedResponse, MountableRoute } from './route.ts';

const noBody = closedObject({});

/** Routes below a path, and their clients. */
export type MountedRoutes = {
  rootPath: string;
  routes: readonly MountableRoute[];
  /** Refuses other clients (403). */
  isWebAppOnly?: boolean;
};

/** Serves requests whose path matches a route exactly; passes others on. Counts each request. */
export function serveRoutes(context: Context, mounted: MountedRoutes): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(skipInexactPath(mounted));
  for (const route of mounted.routes) {
    router[route.operation.method](expressPath(route.operation.path), serve(context, route, mounted));
  }
  return router;
}

/** Responds 405 if a path of the routes does not support the method. */
export function refuseOtherMethods(mounted: MountedRoutes): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use(skipInexactPath(mounted));
  for (const [path, routes] of Map.groupBy(mounted.routes, ({ operation }) => operation.path)) {
    const methods = routes.flatMap(({ operation: { method } }) =>
      method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
    );
    router.all(expressPath(path), () => {
      throw methodNotAllowed(methods);
    });
  }
  return router;
}

/**
 * Paths must match exactly, as at the gateway. Express' mounting ignores case and the host of an absolute
 * form, decodes ids and drops a fragment (RFC 9112 §3.2.1).
 */
function skipInexactPath({ rootPath }: MountedRoutes): RequestHandler {
  return ({ originalUrl }: Request, _res: Response, next: NextFunction) => {
    const path = pathOf(originalUrl);
    const isExact = path.startsWith(`${rootPath}/`) && !/[%#]/.test(path);
    next(isExact ? undefined : 'router');
  };
}

function expressPath(path: string): string {
  return path.replace(/\{(\w+)\}/g, ':$1');
}

/**
 * Checks in the documented order: address limit 429, 401, token limit 429, scope 403, suspended 423, 400;
 * then the handler's errors (404, plan 403, 409). The stored response of an idempotency key, or its 409,
 * precedes the handler.
 */
function serve(context: Context, route: MountableRoute, { isWebAppOnly }: MountedRoutes): RequestHandler {
  const { operation } = route;
  return async (req, res) => {
    const sentQuery = queryOf(req);
    const principal = await authorizeRequest(context, operation, req, res, sentQuery);
    if (isWebAppOnly && principal.kind !== 'browser') throw clientRefused();
    const query = operation.query && readQuery(operation.query, sentQuery);
    const body =
      operation.method === 'get'
        ? undefined
        : await readAuthorizedBody(context, operation, { req, res }, principal, () =>
            readBody(operation, req, res),
          );
    const requestOf = () => ({ params: checkPathIds(req.params), query, body });
    if ('stream' in route) {
      const request = requestOf();
      return await stream(res, () => route.stream(context, principal, request, { req, res }));
    }
    const { execute, executeIdempotent } = route;
    // Before the ids: a malformed key is 400, a malformed id 404.
    const idempotencyKey = executeIdempotent && readIdempotencyKey(req.headers);
    const request = requestOf();
    if (executeIdempotent !== undefined && idempotencyKey !== undefined)
      return sendIdempotent(res, await executeIdempotent(context, principal, request, idempotencyKey));
    await inShareOf(context, operation, principal, res, async () =>
      send(res, operation, await execute(context, principal, request)),
    );
  };
}

/** Writes of an account have a queue of their own. */
async function inShareOf(
  { accountShare }: Context,
  { scope }: Operation,
  { account }: Principal,
  res: Response,
  respond: () => Promise<void>,
): Promise<void> {
  if (changesData(scope)) await respond();
  else await accountShare.read(account.id, res, respond);
}

/** A client that disconnected early is no error. */
async function stream(res: Response, write: () => Promise<void>): Promise<void> {
  // 'close' is not emitted again.
  if (res.closed) return;
  try {
    await write();
  } catch (error) {
    if (!res.destroyed) throw error;
  }
}

function clientRefused(): AppError {
  return new AppError('insufficient_scope', { message: 'This operation serves the web app alone.' });
}

function send(res: Response, { success }: Operation, body: unknown): void {
  res.status(success.status);
  if (body === undefined) res.end();
  else res.json(body);
}

function sendIdempotent(res: Response, { status, body, isReplayed }: KeyedResponse): void {
  if (isReplayed) res.setHeader('Idempotency-Replayed', 'true');
  res.status(status).type('json').send(body);
}

async function readBody(operation: Operation, req: Request, res: Response): Promise<unknown> {
  const mediaTypes = [
    'application/json',
    ...(operation.isMergePatch ? ['application/merge-patch+json'] : []),
  ];
  const isOptional = operation.body === undefined || operation.isBodyOptional === true;
  const sent = await readJsonBody(req, res, mediaTypes, operation.maximumValues);
  return validateInput(operation.body ?? noBody, sent === undefined && isOptional ? {} : sent, 'body');
}

/** Repeated or invalid values take the default (specification §4, paging). */
const lenientParameter = 'limit';
/** Some clients send an empty cursor for the first page. */
const absentWhenEmpty = 'cursor';

/** Validates the parameters of `schema`; ignores others. Throws validation_error. */
function readQuery(schema: AnyObjectSchema, sent: URLSearchParams): unknown {
  const values: Record<string, string> = {};
  const errors: FieldErrors = {};
  for (const name of Object.keys(schema.fields)) {
    const [value, ...further] = sent.getAll(name).filter((text) => text !== '' || name !== absentWhenEmpty);
    if (value === undefined) continue;
    if (further.length === 0) values[name] = value;
    else if (name !== lenientParameter) errors[name] = [`${name} must be given once`];
  }
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return validateInput(schema, values, 'query');
}

/** Returns the ids of a path in lower case. Throws not_found for a malformed id. */
export function checkPathIds(params: Readonly<Record<string, unknown>>): Record<string, string> {
  const ids = Object.entries(params).map(([name, value]) => {
    if (!isUuid(value)) throw notFound();
    return [name, value.toLowerCase()];
  });
  return Object.fromEntries(ids);
}
