import type { Request, Response } from 'express';
import Provider, {
  type Client,
  type ErrorOut,
  errors,
  type Interaction,
  type KoaContextWithOIDC,
} from 'oidc-provider';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';
import type { CurrentKey, SigningKeys } from '../keys/signing-keys.ts';
import { expiredAuthorization, refusedAuthorization } from './authorization-error.ts';
import { type AdapterOptions, createProviderAdapter } from './provider-adapter.ts';
import { providerConfiguration } from './provider-configuration.ts';

type OAuthProvider = { provider: Provider; handle: ReturnType<Provider['callback']> };

/** oidc-provider with the current signing key. */
export type ProviderSource = () => Promise<OAuthProvider>;

type ProviderOptions = AdapterOptions & { signingKeys: SigningKeys; pageSecret: Buffer };

/**
 * Each rotation needs a new instance, since keys are passed to the constructor; an instance holds only
 * caches.
 */
export function createProviderSource(options: ProviderOptions): ProviderSource {
  let known: (OAuthProvider & { keyId: string }) | undefined;
  return async () => {
    const key = await options.signingKeys.current();
    if (known?.keyId !== key.keyId) {
      const provider = createProvider(options, key);
      known = { keyId: key.keyId, provider, handle: provider.callback() };
    }
    return known;
  };
}

function createProvider(options: ProviderOptions, { keyId, privateKey }: CurrentKey): Provider {
  const { config, pageSecret } = options;
  const signingKey = {
    ...privateKey.export({ format: 'jwk' }),
    kid: keyId,
    alg: accessTokenAlgorithm,
    use: 'sig',
  };
  const provider = new Provider(
    config.baseUrl,
    providerConfiguration({
      config,
      adapter: createProviderAdapter(options),
      renderError,
      cookieKey: pageSecret.toString('base64url'),
      signingKey,
    }),
  );
  // With the headers below, URLs and the cookies' Secure depend on BASE_URL, not on the request (RFC 9700
  // §4.13).
  provider.proxy = true;
  const { protocol, host } = new URL(config.baseUrl);
  provider.use(async (ctx, next) => {
    Object.assign(ctx.req.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host });
    await handOver(ctx, next);
  });
  provider.on('server_error', (_ctx, error) => {
    throw error;
  });
  return provider;
}

/** Set by `handOver` in `res.locals`, for the route that runs oidc-provider. */
type ProviderResult = { interaction?: StartedInteraction; error?: unknown };

export type StartedInteraction = { interaction: Interaction; client: Client };

/** Delegates consent and errors from oidc-provider to our routes. */
const handOver: Middleware = async (ctx, next) => {
  const { locals } = ctx.res as Response<unknown, ProviderResult>;
  try {
    await next();
    const { route, entities }: KoaContextWithOIDC['oidc'] = ctx.oidc;
    const { Interaction: interaction, Client: client } = entities;
    if (route !== 'authorization' || interaction === undefined || client === undefined) return;
    // The specified response is the page itself with status 200, not a redirect to it.
    ctx.remove('Location');
    ctx.respond = false;
    locals.interaction = { interaction, client };
  } catch (error) {
    ctx.respond = false;
    locals.error = error;
  }
};

type Middleware = Parameters<Provider['use']>[0];

/** The token endpoint responds with JSON, whatever `Accept` is; a refused authorization is a page. */
function renderError(ctx: KoaContextWithOIDC, out: ErrorOut, error: Error): void {
  if (ctx.oidc.route === 'token') ctx.body = out;
  else if (error instanceof errors.SessionNotFound) throw expiredAuthorization();
  else throw refusedAuthorization(out.error, out.error_description);
}

/**
 * Lets oidc-provider handle a request. Returns the requested interaction; undefined if the response was sent.
 * Throws oidc-provider's errors, so that one place responds and logs.
 */
export async function runProvider(
  source: ProviderSource,
  req: Request,
  res: Response<unknown, ProviderResult>,
): Promise<StartedInteraction | undefined> {
  const { handle } = await source();
  await handle(req, res);
  if (res.locals.error !== undefined) throw res.locals.error;
  return res.locals.interaction;
}
