import { type Request, type Response, Router } from 'express';
import { AppError } from '#shared/errors/app-error.ts';
import { invalidField, methodNotAllowed } from '#shared/errors/errors.ts';
import { readJsonBody } from '#shared/http/json-body.ts';
import { assistantPath, protectedResourceMetadataUrl } from '#shared/http/protected-resource-urls.ts';
import { queryOf } from '#shared/http/query-of.ts';
import { requestIdOf } from '#shared/http/request-id.ts';
import { applyVerdict } from '#shared/rate-limit/limit-headers.ts';
import { bearerChallenge } from '../auth/bearer-challenge.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import { tools } from './tools.ts';
import { sendWebResponse, toWebRequest } from './web-exchange.ts';

/**
 * The Model Context Protocol over Streamable HTTP, one exchange a request: nothing is kept between them, so any
 * replica answers any request. Neither Host nor Origin is asked: without the bearer header, which no page gets from
 * a browser by itself, a rebound name reaches nothing.
 */
export function assistantRouter(context: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post(assistantPath, (req, res) => answer(context, req, res));
  router.all(assistantPath, () => {
    throw methodNotAllowed(['POST']);
  });
  return router;
}

async function answer(context: Context, req: Request, res: Response): Promise<void> {
  const gone = whenGone(res);
  const { principal, body } = await admit(context, req, res);
  // A tenth of all that the service loads, for callers that many deployments do not have: not before the first one.
  const { createAssistantHandler } = await import('./assistant-server.ts');
  const handler = createAssistantHandler({ context, principal, requestId: requestIdOf(res), gone });
  const request = toWebRequest(req, context.config.baseUrl + assistantPath, body, gone);
  const response = await handler.fetch(request, { parsedBody: body });
  try {
    await sendWebResponse(res, response);
  } catch (error) {
    // A client that went before its answer is no failure of ours.
    if (!gone.aborted) throw error;
  }
}

function whenGone(res: Response): AbortSignal {
  const gone = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** In the order of the API: 401, then what can be said of the message, then the token's limit, then the scope. */
async function admit(
  context: Context,
  req: Request,
  res: Response,
): Promise<{ principal: Principal; body: unknown }> {
  try {
    const principal = await context.authenticate(req, queryOf(req));
    const body = (await readJsonBody(req, res, ['application/json'])) ?? null;
    requireDistinctIds(body);
    const called = calledTools(body);
    for (let count = 0; count < Math.max(1, called.length); count += 1) {
      applyVerdict(res, await context.tokenLimiter.consume(principal.tokenId));
    }
    requireToolScopes(principal, called);
    return { principal, body };
  } catch (error) {
    const challenge = error instanceof AppError && assistantChallenge(error, context.config.baseUrl);
    if (challenge) res.setHeader('WWW-Authenticate', challenge);
    throw error;
  }
}

/** Of two requests with one id (JSON-RPC 2.0 §4), the SDK would run both and answer one. */
function requireDistinctIds(body: unknown): void {
  if (!Array.isArray(body)) return;
  const ids = body.flatMap((message: { id?: unknown } | null) => message?.id ?? []);
  if (new Set(ids).size < ids.length)
    throw invalidField('body', 'Two messages of the batch have the same id.');
}

/** The names of the tools that a message, or each of a batch of them, calls. */
function calledTools(body: unknown): string[] {
  return [body].flat().flatMap((message: unknown) => {
    if (typeof message !== 'object' || message === null) return [];
    const { method, params } = message as { method?: unknown; params?: { name?: unknown } | null };
    return method === 'tools/call' ? [String(params?.name)] : [];
  });
}

/** Answered over HTTP and not by the tool, so that a client can ask its user for more (RFC 6750 §3.1). */
function requireToolScopes({ scopes }: Principal, called: readonly string[]): void {
  const beyond = tools.find(({ name, scope }) => called.includes(name) && !scopes.includes(scope));
  if (beyond === undefined) return;
  throw new AppError('insufficient_scope', {
    message: `The tool ${beyond.name} needs the scope «${beyond.scope}».`,
  });
}

function assistantChallenge(error: AppError, baseUrl: string): string | undefined {
  return bearerChallenge(error, `${protectedResourceMetadataUrl(baseUrl)}${assistantPath}`, 'read write');
}
