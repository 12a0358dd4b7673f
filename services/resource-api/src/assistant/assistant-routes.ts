import { type Request, type Response, Router } from 'express';
import { AppError } from '#shared/errors/app-error.ts';
import { methodNotAllowed } from '#shared/errors/errors.ts';
import { apiCors } from '#shared/http/cors.ts';
import { assistantPath, protectedResourceMetadataUrl } from '#shared/http/protected-resource-urls.ts';
import { queryOf, readJsonBody } from '#shared/http/request-input.ts';
import { requestIdOf } from '#shared/http/response-headers.ts';
import { applyVerdict } from '#shared/rate-limit/limit-headers.ts';
import { bearerChallenge } from '#shared/tokens/bearer-challenge.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import { readMessages, requireScopes } from './messages.ts';
import { sendWebResponse, toWebRequest } from './web-exchange.ts';

/** What clients of both generations of the protocol send beside the API's own headers. */
export const assistantCors = {
  ...apiCors,
  methods: ['POST'],
  allowedHeaders: [
    ...apiCors.allowedHeaders,
    'MCP-Protocol-Version',
    'Mcp-Session-Id',
    'Mcp-Method',
    'Mcp-Name',
    'Last-Event-ID',
  ],
};

/** More than the largest call that the tools' schemas allow holds: 50 changes with whole checklists. */
const maximumValues = 50_000;

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
    const body = (await readJsonBody(req, res, ['application/json'], maximumValues)) ?? null;
    const messages = readMessages(body);
    await countMessages(context, req, res, { tokenId: principal.tokenId, count: messages.length });
    requireScopes(principal.scopes, messages);
    return { principal, body };
  } catch (error) {
    const challenge = error instanceof AppError && assistantChallenge(error, context.config.baseUrl);
    if (challenge) res.setHeader('WWW-Authenticate', challenge);
    throw error;
  }
}

/** The limit of the address has counted the first message already. */
async function countMessages(
  { addressKeyOf, addressLimiter, tokenLimiter }: Context,
  req: Request,
  res: Response,
  { tokenId, count }: { tokenId: string; count: number },
): Promise<void> {
  applyVerdict(res, await tokenLimiter.consume(tokenId));
  const address = addressKeyOf(req);
  for (let further = 1; further < count; further += 1) {
    if (address !== undefined) applyVerdict(res, await addressLimiter.consume(address));
    applyVerdict(res, await tokenLimiter.consume(tokenId));
  }
}

function assistantChallenge(error: AppError, baseUrl: string): string | undefined {
  return bearerChallenge(error, `${protectedResourceMetadataUrl(baseUrl)}${assistantPath}`, 'read write');
}
