import { type Configuration, errors, interactionPolicy } from 'oidc-provider';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { everyScope, scopes } from '#shared/scopes.ts';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';
import type { Config } from '../config/config.ts';
import { isUnknownScope } from './authorization-request.ts';
import { authorizePath, interactionPath, tokenPath } from './oauth-paths.ts';

/** How long a user may look at the consent page. */
const interactionTtlSeconds = 900;

export type ProviderParts = Pick<Configuration, 'adapter' | 'renderError'> & {
  config: Config;
  /** The private JWK that signs; oidc-provider's own key set is never published. */
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
      // It wants an algorithm its keys can serve, though no id token is ever made.
      id_token_signed_response_alg: accessTokenAlgorithm,
    },
    features: features(config),
    // A hook that runs after client, redirect target and PKCE were checked, so that its error may be redirected.
    extraParams: {
      scope(_ctx, value) {
        if (isUnknownScope(value))
          throw new errors.InvalidScope('requested scope is not supported', value ?? '');
      },
    },
    extraTokenClaims: (_ctx, token) => ('grantId' in token ? { grant_id: token.grantId } : undefined),
    // Also what switches the grant type on: offline_access is not among the scopes.
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    rotateRefreshToken: true,
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    ttl: ttlOf(config),
    cookies: cookiesOf(config.baseUrl, cookieKey),
    // Grants refer to their accounts by foreign key: an account that has one exists.
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
    // Its own can't revoke JWTs; ours does.
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
    // A number slides with each rotation; the default would not, for web clients.
    RefreshToken: config.refreshTokenTtlSeconds,
    Grant: config.grantTtlSeconds,
    Interaction: interactionTtlSeconds,
    Session: interactionTtlSeconds,
  };
}

/**
 * `__Secure-`: it can't be set without TLS (RFC 6265bis §4.1.3.1). `__Host-` would require one path for all, and two
 * requests that wait in one browser would share a cookie.
 */
function cookiesOf(baseUrl: string, key: string): Configuration['cookies'] {
  const short = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  const prefix = baseUrl.startsWith('https:') ? '__Secure-' : '';
  const names = {
    session: `${prefix}oauth_session`,
    interaction: `${prefix}oauth_interaction`,
    resume: `${prefix}oauth_resume`,
  };
  // The session's cookie means nothing: no session is stored.
  return { keys: [key], names, short, long: { ...short, path: authorizePath } };
}

/**
 * One prompt, for sign-in and consent together. The default two would give a client that was allowed before a code
 * without any page, also when another client was registered under the same redirect URI (RFC 8252 §8.6).
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
