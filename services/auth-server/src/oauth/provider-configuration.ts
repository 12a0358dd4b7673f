import { randomBytes } from 'node:crypto';
import type { Configuration } from 'oidc-provider';
import { authorizePath, interactionPath, registerPath, tokenPath } from '#shared/contracts/oauth-paths.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { scopes } from '#shared/scopes.ts';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';
import type { Config } from '../config/config.ts';
import { isUnknownScope } from './authorization-request.ts';
import { errors, interactionPolicy } from './oidc-provider.ts';
import type { ProviderSigningKey } from './provider-signing-key.ts';

/** Browsers never see it: `provider-outcome.ts` takes it away. */
export const providerSessionCookie = 'oauth_session';

/** How long a user may look at the consent page. */
const interactionTtlSeconds = 900;

export type ProviderParts = Pick<Configuration, 'adapter' | 'renderError'> & {
  config: Config;
  /** The private key that signs; the package's own key set is never published. */
  signingKey: ProviderSigningKey;
  cookieKey: string;
};

/** Pure OAuth 2.1 for public clients; every feature that is on by default and not needed is off. */
export function providerConfiguration(parts: ProviderParts): Configuration {
  const { config, signingKey, cookieKey, adapter, renderError } = parts;
  return {
    adapter,
    renderError,
    jwks: { keys: [signingKey] },
    routes: { authorization: authorizePath, token: tokenPath, registration: registerPath },
    responseTypes: ['code'],
    scopes: [...scopes],
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      // The package wants an algorithm its keys can serve, though no id token is ever made.
      id_token_signed_response_alg: accessTokenAlgorithm,
    },
    // What RFC 7591 §2 defines and OpenID does not: else it would be left out of what is stored and answered.
    extraClientMetadata: { properties: ['software_id', 'software_version'] },
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
    // Experimental: a release that changes it refuses this word for it at the start.
    externalSigningSupport: { enabled: true, ack: 'experimental-01' },
    // Its own can't revoke JWTs; ours does.
    revocation: off,
    registration: {
      enabled: true,
      initialAccessToken: false,
      // Registrations can't be read or changed later: there is no endpoint for it.
      issueRegistrationAccessToken: false,
      // A prefix keeps client ids apart from accounts' UUIDs (RFC 9700 §4.15).
      idFactory: () => `app_${randomBytes(16).toString('base64url')}`,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, resource) {
        if (resource !== audience) throw new errors.InvalidTarget();
        return {
          scope: scopes.join(' '),
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
    // A number slides with each rotation; the package's own function would not, for web clients.
    RefreshToken: config.refreshTokenTtlSeconds,
    Grant: config.grantTtlSeconds,
    Interaction: interactionTtlSeconds,
    Session: interactionTtlSeconds,
  };
}

/**
 * `__Secure-`: nobody without TLS can plant one (RFC 6265bis §4.1.3.1). `__Host-` asks for one path for all, and of two
 * requests that wait in one browser the later would take the earlier's cookie.
 */
function cookiesOf(baseUrl: string, key: string): Configuration['cookies'] {
  const options = { httpOnly: true, sameSite: 'lax', signed: true } as const;
  const prefix = baseUrl.startsWith('https:') ? '__Secure-' : '';
  const names = {
    session: providerSessionCookie,
    interaction: `${prefix}oauth_interaction`,
    resume: `${prefix}oauth_resume`,
  };
  return { keys: [key], names, long: options, short: options };
}

/**
 * One prompt, for sign-in and consent together. The package's own two would give a client that was allowed before a
 * code without any page, also when somebody else registered it under the same redirect URI (RFC 8252 §8.6).
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
