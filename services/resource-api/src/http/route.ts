import type { Request, Response } from 'express';
import type { AnyObjectSchema, AnySchema, InferType } from 'yup';
import type { Operation } from '#shared/http/operation.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import { hashRequest, hashText, runIdempotent, takesIdempotencyKey } from '../idempotency/run-idempotent.ts';
import { readStoredBody } from '../idempotency/stored-body.ts';
import { openSession, runWrite, type Session, type WriteSession, type WriteStore } from '../session.ts';

type PathParameter<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParameter<Rest>
  : never;

/** A validated request; ids of the path are lower-case UUIDs. */
type CheckedRequest = { params: Record<string, string>; query: unknown; body: unknown };

/** Runs the work of an operation in its write transaction, with more before or after it. */
export type WriteWrapper<Body = unknown> = (
  session: WriteSession,
  work: () => Promise<Body>,
) => Promise<Body>;

/** Response to a request with an idempotency key; `body` is JSON text. */
export type KeyedResponse = { status: number; body: string; isReplayed: boolean };

/** An operation and its handler. One list of routes serves requests and yields the OpenAPI document. */
export type Route = {
  operation: Operation;
  /** Returns the response body. `wrap` applies to writes only. */
  execute(
    context: Context,
    principal: Principal,
    request: CheckedRequest,
    wrap?: WriteWrapper,
  ): Promise<unknown>;
  /** As `execute`, but idempotent by key. Undefined if the header is ignored. */
  executeIdempotent?(
    context: Context,
    principal: Principal,
    request: CheckedRequest,
    idempotencyKey: string,
  ): Promise<KeyedResponse>;
};

export type StreamTarget = { req: Request; res: Response };

export type StreamRoute = {
  operation: Operation;
  stream(
    context: Context,
    principal: Principal,
    request: CheckedRequest,
    target: StreamTarget,
  ): Promise<void>;
};

export type MountableRoute = Route | StreamRoute;

type Input<Path extends string, Query extends AnySchema, Body extends AnySchema> = {
  params: Record<PathParameter<Path>, string>;
  query: InferType<Query>;
  body: InferType<Body>;
};

type Contract<Path extends string, Query, Body, ResponseSchema> = Omit<
  Operation,
  'path' | 'query' | 'body' | 'success'
> & {
  path: Path;
  query?: Query;
  body?: Body;
  success: Omit<Operation['success'], 'schema'> & { schema?: ResponseSchema };
};

type ReadRoute<
  Path extends string,
  Query extends AnyObjectSchema,
  Result,
  ResponseSchema extends AnySchema,
> = Contract<Path, Query, never, ResponseSchema> & {
  handler(session: Session, input: Input<Path, Query, never>, context: Context): Promise<Result>;
  present(result: Result, session: Session): InferType<ResponseSchema>;
};

/** A read-only route, without a transaction. */
export function readRoute<
  const Path extends string,
  Result,
  ResponseSchema extends AnySchema,
  Query extends AnyObjectSchema = AnyObjectSchema,
>({ handler, present, ...operation }: ReadRoute<Path, Query, Result, ResponseSchema>): Route {
  return {
    operation,
    async execute(context, principal, request) {
      const session = openSession(context.database, principal, context.clock);
      const result = await handler(session, request as Input<Path, Query, never>, context);
      return present(result, session);
    },
  };
}

type WriteRoute<
  Path extends string,
  Body extends AnySchema,
  Prepared,
  Result,
  ResponseSchema extends AnySchema,
> = Contract<Path, never, Body, ResponseSchema> & {
  /** Slow work, before the account lock is taken. */
  prepare?(input: Input<Path, never, Body>, context: Context, principal: Principal): Promise<Prepared>;
  handler(session: WriteSession, input: Input<Path, never, Body> & { prepared: Prepared }): Promise<Result>;
  present(result: Result, session: WriteSession): InferType<ResponseSchema>;
};

/** A route whose handler runs in the account's write transaction. */
export function writeRoute<
  const Path extends string,
  Result,
  ResponseSchema extends AnySchema,
  Body extends AnySchema = AnySchema,
  Prepared = undefined,
>({
  prepare,
  handler,
  present,
  ...operation
}: WriteRoute<Path, Body, Prepared, Result, ResponseSchema>): Route {
  const prepareWork = async (context: Context, principal: Principal, request: CheckedRequest) => {
    const input = request as Input<Path, never, Body>;
    const prepared = (await prepare?.(input, context, principal)) as Prepared;
    return async (session: WriteSession) => {
      const result = await handler(session, { ...input, prepared });
      return { body: present(result, session), rendererVersion: rendererVersionOf(result) };
    };
  };
  const route: Route = {
    operation,
    async execute(context, principal, request, wrap = (_session, work) => work()) {
      const work = await prepareWork(context, principal, request);
      return runWrite(writeStoreOf(context), principal, (session) =>
        wrap(session, async () => (await work(session)).body),
      );
    },
  };
  if (!takesIdempotencyKey(operation)) return route;
  return {
    ...route,
    async executeIdempotent(context, principal, request, idempotencyKey) {
      const work = await prepareWork(context, principal, request);
      const keyed = {
        keyHash: hashText(idempotencyKey),
        requestHash: hashRequest({ path: operation.path, ...request }),
        status: operation.success.status,
      };
      const response = await runWrite(writeStoreOf(context), principal, (session) =>
        runIdempotent(session, keyed, context.clock.now(), () => work(session)),
      );
      if (!response.isReplayed) return response;
      context.metrics.writes.replayed();
      return { ...response, body: await readStoredBody(response.body, context.notes, principal.account.id) };
    },
  };
}

/** The renderer version of a result with notes: a task, or a project with its sections. */
function rendererVersionOf(result: unknown): number | undefined {
  const { project = result } = Object(result);
  const { rendererVersion } = Object(project);
  return typeof rendererVersion === 'number' ? rendererVersion : undefined;
}

export type WriteContext = Pick<Context, 'config' | 'database' | 'accountQueue' | 'clock' | 'writeObserver'>;

export function writeStoreOf({ config, ...context }: WriteContext): WriteStore {
  const { database, accountQueue, clock, writeObserver: observer } = context;
  return { database, accountQueue, clock, observer, storageLimitBytes: config.accountStorageBytes };
}
