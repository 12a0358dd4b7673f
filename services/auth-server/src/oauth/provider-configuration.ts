import { type Configuration, errors, interactionPolicy } from 'oidc-provider';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { everyScope, scopes } from '#shared/scopes.ts';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';
import type { Config } from '../config/config.ts';
import { isUnknownScope } from './authorization-request.ts';
import { authorizePath, interactionPath, tokenPath } from './oauth-paths.ts';

/** Time limit of sign-in and consent. */
const interactionTtlSeconds = 900;

type ProviderParts = Pick<Configuration, 'adapter' | 'renderError'> & {
  config: Config;
  /** The private signing JWK; oidc-provider's own key set is not published. */
  signingKey: object;
  cookieKey: string;
};

/** Pure OAuth 2.1 for public clients; every feature that is on by default and not needed is off. */
export function providerConfiguration(parts: ProviderParts): Configuration {
  const { config, signingKey, cookieKey, adapter, renderError } = parts;
  return {
    adapter,
    renderError,
    jwks: { keys: [signingKey] },
    routes: { authorization: authorizePath, token: tokenPath },
    responseTypes: ['code'],
    scopes: [...scopes],
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      // oidc-provider requires an algorithm of its keys, although no id tokens are issued.
      id_token_signed_response_alg: accessTokenAlgorithm,
    },
    features: features(config),
    // Runs after the checks of client, redirect URI and PKCE, so its errors may be redirected.
    extraParams: {
      scope(_ctx, value) {
        if (isUnknownScope(value))
          throw new errors.InvalidScope('requested scope is not supported', value ?? '');
      },
    },
    extraTokenClaims: (_ctx, token) => ('grantId' in token ? { grant_id: token.grantId } : undefined),
    // Also enables the grant type: offline_access is not among the scopes.
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    ttl: ttlOf(config),
    cookies: cookiesOf(config.baseUrl, cookieKey),
    // The foreign key of grants ensures that the account exists.
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { policy: alwaysAskConsent(), url: (_ctx, { uid }) => `${interactionPath}/${uid}` },
    clientBasedCORS: () => true,
  };
}

function features(config: Config): Configuration['features'] {
  const audience = apiRootOf(config.baseUrl);
  const off = { enabled: false };
  return {
    devInteractions: off,
    userinfo: off,
    rpInitiatedLogout: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    claimsParameter: off,
    // It cannot revoke JWTs; our own route does.
    revocation: off,
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, resource) {
        if (resource !== audience) throw new errors.InvalidTarget();
        return {
          scope: everyScope,
          audience,
          accessTokenTTL: config.accessTokenTtlSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: accessTokenAlgorithm } },
        };
      },
    },
  };
}

function ttlOf(config: Config): Configuration['ttl'] {
  return {
    AccessToken: config.accessTokenTtlSeconds,
    AuthorizationCode: config.authorizationCodeTtlSeconds,
    // A number restarts with each rotation; the default would not, for web clients.
    RefreshToken: config.refreshTokenTtlSeconds,
    Grant: config.grantTtlSeconds,
    Interaction: interactionTtlSeconds,
    Session: interactionTtlSeconds,
  };
}

/**
 * `__Secure-`: cannot be set without TLS (RFC 6265bis §4.1.3.1). `__Host-` would require one path for all, so
 * concurrent requests of one browser would share a cookie.
 */
function cookiesOf(baseUrl: string, key: string): Configuration['cookies'] {
  const short = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  const prefix = baseUrl.startsWith('https:') ? '__Secure-' : '';
  const names = {
    session: `${prefix}oauth_session`,
    interaction: `${prefix}oauth_interaction`,
    resume: `${prefix}oauth_resume`,
  };
  // The session's cookie is unused: no session is stored.
  return { keys: [key], names, short, long: { ...short, path: authorizePath } };
}

/**
 * One prompt for sign-in and consent. The default two would issue a code without any page to a client with a
 * grant, and so to another client with the same redirect URI (RFC 8252 §8.6).
 */
function alwaysAskConsent() {
  const policy = interactionPolicy.base();
  policy.remove('login');
  policy.remove('consent');
  const { Check, Prompt } = interactionPolicy;
  const consentIsMissing = new Check(
    'consent_missing',
    'the user has to sign in and agree',
    'interaction_required',
    (ctx) => ctx.oidc.result?.consent === undefined,
  );
  policy.add(new Prompt({ name: 'consent', requestable: true }, consentIsMissing));
  return policy;
}
