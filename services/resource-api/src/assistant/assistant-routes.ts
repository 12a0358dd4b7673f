import { pipeline } from 'node:stream/promises';
import { type Request as ExpressRequest, type Response as ExpressResponse, Router } from 'express';
import { AppError } from '#shared/errors/app-error.ts';
import { invalidField, methodNotAllowed } from '#shared/errors/errors.ts';
import { apiCors } from '#shared/http/cors.ts';
import { assistantPath, protectedResourceMetadataUrl } from '#shared/http/protected-resource-urls.ts';
import { queryOf, readJsonBody } from '#shared/http/request-input.ts';
import { requestIdOf } from '#shared/http/response-headers.ts';
import { everyScope, type Scope } from '#shared/scopes.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import { withBearerChallenge } from '../http/authorize-request.ts';
import { isFromBrowser, sendAssistantPage } from './assistant-page.ts';
import { createAssistantHandler } from './assistant-server.ts';
import { tools } from './tools.ts';

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

/** More than the largest call that the schemas of the tools allow: 50 changes with full checklists. */
const maximumValues = 50_000;

/**
 * The Model Context Protocol over Streamable HTTP, stateless: any replica serves any request. Host and Origin
 * are not checked, because DNS rebinding gains nothing without the bearer header, which no browser adds by
 * itself. Each request is counted here.
 */
export function assistantRouter(context: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.post(assistantPath, (req, res) => respond(context, req, res));
  return router;
}

/** What else comes to its path: people with a browser, and mistakes. */
export function assistantVisitorRouter({ config }: Context): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(assistantPath, (req, res, next) => {
    if (isFromBrowser(req)) sendAssistantPage(res, config.baseUrl);
    else next();
  });
  router.all(assistantPath, () => {
    throw methodNotAllowed(['POST']);
  });
  return router;
}

async function respond(context: Context, req: ExpressRequest, res: ExpressResponse): Promise<void> {
  const gone = whenGone(res);
  const { principal, body } = await admit(context, req, res);
  const countEntry = () => context.admission.countEntry(res, principal);
  const handler = createAssistantHandler({
    context,
    principal,
    requestId: requestIdOf(res),
    gone,
    countEntry,
  });
  const request = toWebRequest(req, context.config.baseUrl + assistantPath, gone);
  const response = await handler.fetch(request, { parsedBody: body });
  try {
    await sendWebResponse(res, response);
  } catch (error) {
    // A client that disconnected early is no error.
    if (!gone.aborted) throw error;
  }
}

/** As the Fetch standard has it; the body has been read. `signal`: the client has disconnected. */
function toWebRequest(req: ExpressRequest, url: string, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, values] of Object.entries(req.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  headers.delete('content-length');
  headers.delete('transfer-encoding');
  return new Request(url, { method: req.method, headers, signal });
}

/**
 * Streams the response. Headers that were set before win: no cache may keep it. Whether the connection stays
 * open is Node's to say: the SDK always says that it does (RFC 9112 §9.6).
 */
async function sendWebResponse(res: ExpressResponse, response: Response): Promise<void> {
  res.status(response.status);
  for (const [name, value] of response.headers) {
    if (name !== 'connection' && !res.hasHeader(name)) res.setHeader(name, value);
  }
  if (response.body === null) {
    res.end();
    return;
  }
  res.flushHeaders();
  await pipeline(response.body, res);
}

function whenGone(res: ExpressResponse): AbortSignal {
  const gone = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  return gone.signal;
}

/** In the order of the API, but that faults of the message come before the token's rate limit. */
async function admit(
  { config, admission }: Context,
  req: ExpressRequest,
  res: ExpressResponse,
): Promise<{ principal: Principal; body: unknown }> {
  const metadataUrl = `${protectedResourceMetadataUrl(config.baseUrl)}${assistantPath}`;
  return await withBearerChallenge(res, metadataUrl, everyScope, async () => {
    let [body, messages]: [unknown, Message[]] = [null, []];
    const principal = await admission.admit(req, res, queryOf(req), async (admitted) => {
      const read = () => readJsonBody(req, res, ['application/json'], maximumValues);
      body = (await admission.readBody(req, admitted, read)) ?? null;
      messages = readMessages(body);
    });
    for (const _further of messages.slice(1)) await admission.countFurther(req, res, principal);
    requireScopes(principal.scopes, messages);
    return { principal, body };
  });
}

/** A message before the SDK has validated it. */
type Message = { id?: unknown; method?: unknown; params?: { name?: unknown } | null };

/** Each counts as a request of the token. */
const maximumMessages = 10;

/** The message of a body, or those of a batch. Throws validation_error on `body`. */
function readMessages(body: unknown): Message[] {
  const messages: Message[] = [body].flat().map((message) => Object(message));
  if (messages.length > maximumMessages)
    throw invalidField('body', `A batch holds at most ${maximumMessages} messages.`);
  requireDistinctIds(messages);
  return messages;
}

/** Of two requests with the same id the SDK would run both and respond to one (JSON-RPC 2.0 §4). */
function requireDistinctIds(messages: readonly Message[]): void {
  const ids = messages.flatMap(({ id }) => id ?? []);
  if (new Set(ids).size < ids.length)
    throw invalidField('body', 'Two messages of the batch have the same id.');
}

/** An HTTP error, not one of the protocol, so that clients can ask for more scopes (RFC 6750 §3.1). */
function requireScopes(scopes: readonly Scope[], messages: readonly Message[]): void {
  for (const message of messages) {
    const { what, scope } = needOf(message) ?? {};
    if (scope === undefined || scopes.includes(scope)) continue;
    throw new AppError('insufficient_scope', { message: `${what} needs the scope «${scope}».` });
  }
}

function needOf({ method, params }: Message): { what: string; scope: Scope } | undefined {
  if (method === 'resources/read') return { what: 'A resource', scope: 'read' };
  const tool = method === 'tools/call' ? tools.find(({ name }) => name === params?.name) : undefined;
  return tool && { what: `The tool ${tool.name}`, scope: tool.scope };
}
