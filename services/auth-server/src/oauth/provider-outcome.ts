import type { IncomingMessage } from 'node:http';
import type { Request, Response } from 'express';
import type Provider from 'oidc-provider';
import type { ErrorOut, KoaContextWithOIDC } from 'oidc-provider';
import type { AppError } from '#shared/errors/app-error.ts';
import { toAppError } from '#shared/http/problem.ts';
import type { Context } from '../context.ts';
import { describeAuthorization, type PendingAuthorization } from './pending-authorization.ts';
import { providerSessionCookie } from './provider-configuration.ts';
import { retainQuery } from './redirect-location.ts';

/** What a run of the package came to, when it is not for the package to answer. */
export type ProviderOutcome =
  /** The user has to sign in and agree. */
  | { kind: 'interaction'; authorization: PendingAuthorization }
  /** The request can't be trusted: the user is told, nobody is redirected (RFC 6749 §4.1.2.1). */
  | { kind: 'refused'; error: string; description: string; status: number };

type Result = ProviderOutcome | { kind: 'failed'; error: AppError };

const results = new WeakMap<IncomingMessage, Result>();

/**
 * Lets the package handle a request. `undefined`: it has answered. Throws what went wrong inside, so that one place
 * answers and logs it. `body`: what was read of the request, for the package to read again.
 */
export async function runProvider(
  { config, oauthProvider }: Pick<Context, 'config' | 'oauthProvider'>,
  req: Request,
  res: Response,
  body?: string,
): Promise<ProviderOutcome | undefined> {
  forwardedAs(config.baseUrl, req);
  // Else errors come as HTML to whoever prefers it; the answers of these endpoints are for programs.
  req.headers.accept = 'application/json';
  if (body !== undefined) replaceBody(req, Buffer.from(body));
  const { handle } = await oauthProvider.current();
  await handle(req, res);
  const result = results.get(req);
  if (result?.kind === 'failed') throw result.error;
  return result;
}

function forwardedAs(baseUrl: string, req: Request): void {
  const { protocol, host } = new URL(baseUrl);
  req.headers['x-forwarded-proto'] = protocol.slice(0, -1);
  req.headers['x-forwarded-host'] = host;
}

/** The package reads the stream itself, and only with a warning anything that was read before. */
function replaceBody(req: Request, body: Buffer): void {
  async function* chunks() {
    yield body;
  }
  Object.defineProperties(req, { readable: { value: true }, iterator: { value: chunks } });
  delete req.headers['transfer-encoding'];
  req.headers['content-length'] = String(body.length);
}

/** The package's hook for errors that are not redirected. */
export function renderErrorLater(ctx: KoaContextWithOIDC, out: ErrorOut): void {
  if (results.has(ctx.req)) return;
  ctx.respond = false;
  results.set(ctx.req, {
    kind: 'refused',
    error: out.error,
    description: out.error_description ?? '',
    status: ctx.status,
  });
}

/** Takes over where the package would redirect to the consent page or answer a failure of ours by itself. */
export function handOverResults(provider: Provider): void {
  provider.on('server_error', (ctx, error) => {
    ctx.respond = false;
    results.set(ctx.req, { kind: 'failed', error: toAppError(error) });
  });
  provider.use(async (ctx, next) => {
    withoutSessionCookie(ctx.req);
    await next();
    dropSessionCookies(ctx.res);
    if (results.get(ctx.req)?.kind === 'failed') ctx.remove('Location');
    spellTargetAsRegistered(ctx.res, ctx.oidc?.params?.redirect_uri);
    const interaction = ctx.oidc?.entities.Interaction;
    if (ctx.oidc?.route === 'registration' && ctx.status === 201) ctx.body = withoutOpenIdMembers(ctx.body);
    if (ctx.oidc?.route !== 'authorization' || ctx.status !== 303 || interaction === undefined) return;
    // The interface promises the page itself with status 200, not a redirect to it.
    ctx.remove('Location');
    ctx.respond = false;
    const authorization = describeAuthorization(interaction, ctx.oidc.client);
    results.set(ctx.req, { kind: 'interaction', authorization });
  });
}

function spellTargetAsRegistered(res: KoaContextWithOIDC['res'], redirectUri: unknown): void {
  const location = res.getHeader('location');
  if (typeof location !== 'string' || typeof redirectUri !== 'string') return;
  res.setHeader('location', retainQuery(location, redirectUri));
}

/** Defaults the package adds; they speak of id tokens, which are never made. */
function withoutOpenIdMembers(body: unknown): unknown {
  const hidden = ['id_token_signed_response_alg', 'subject_type', 'require_auth_time'];
  return Object.fromEntries(Object.entries(body ?? {}).filter(([name]) => !hidden.includes(name)));
}

/** With a session of its own the package would show a log-out page to whoever switches accounts. */
function withoutSessionCookie(req: IncomingMessage): void {
  const kept = req.headers.cookie?.split('; ').filter((cookie) => !cookie.startsWith(providerSessionCookie));
  if (kept !== undefined) req.headers.cookie = kept.join('; ');
}

function dropSessionCookies(res: KoaContextWithOIDC['res']): void {
  const cookies = [res.getHeader('set-cookie') ?? []].flat().map(String);
  const kept = cookies.filter((cookie) => !cookie.startsWith(providerSessionCookie));
  if (kept.length > 0) res.setHeader('set-cookie', kept);
  else res.removeHeader('set-cookie');
}
