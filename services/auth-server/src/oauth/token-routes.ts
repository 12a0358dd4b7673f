import { apiRootOf, canonicalResource } from '#shared/http/protected-resource-urls.ts';
import { knownScopes } from '#shared/scopes.ts';
import { requestOrigin } from '../audit/audit-trail.ts';
import type { Route } from '../http/route.ts';
import { openSession } from '../session.ts';
import { OAuthError } from './oauth-error.ts';
import { readOAuthForm, requireOnce } from './oauth-form.ts';
import { revokePath, tokenPath } from './oauth-paths.ts';
import { runProvider } from './provider.ts';
import { revokeToken } from './revocation-service.ts';

export const tokenRoute: Route = {
  path: tokenPath,
  method: 'post',
  async handler({ context: { config, oauthProvider, metrics }, req, res }) {
    const form = await readOAuthForm(req, res);
    normaliseTokenRequest(form, config.baseUrl);
    req.body = Object.fromEntries([...form.keys()].map((name) => [name, form.getAll(name)]));
    await runProvider(oauthProvider, req, res);
    const grantType = form.get('grant_type');
    const isIssued = res.statusCode === 200;
    if (isIssued && (grantType === 'authorization_code' || grantType === 'refresh_token'))
      metrics.countIssuedToken(grantType);
  },
};

/**
 * Throws invalid_target for an unknown resource (RFC 8707 §2.2): oidc-provider would do so only after
 * consuming the code or the refresh token.
 */
function normaliseTokenRequest(form: URLSearchParams, baseUrl: string): void {
  const resources = form.getAll('resource');
  if (resources.some((value) => canonicalResource(value, baseUrl) === undefined))
    throw new OAuthError('invalid_target', 'the requested resource is not one of this server');
  if (resources.length > 0) form.set('resource', apiRootOf(baseUrl));
  const [scope, ...others] = form.getAll('scope');
  if (scope !== undefined && others.length === 0) narrowScope(form, scope);
}

/** Unknown scopes are dropped if a known one remains; without scopes all granted ones apply. */
function narrowScope(form: URLSearchParams, scope: string): void {
  const requested = scope.split(' ').filter((name) => name !== '');
  const known = knownScopes(requested);
  if (requested.length === 0) form.delete('scope');
  else if (known.length > 0) form.set('scope', known.join(' '));
}

/** Token revocation (RFC 7009 §2). oidc-provider cannot revoke JWTs. */
export const revokeRoute: Route = {
  path: revokePath,
  method: 'post',
  async handler({ context, req, res }) {
    const form = await readOAuthForm(req, res);
    const token = requireOnce(form, 'token');
    const clientId = requireOnce(form, 'client_id');
    const session = openSession(context, requestOrigin(req, context.config.trustedProxyHops, 'app'));
    const isOwn = await revokeToken(session, context, { token, clientId });
    // For an own token the client is known, even while its metadata document cannot be fetched.
    if (!isOwn && (await context.clients.find(clientId, context.addressKeyOf(req))) === undefined)
      throw new OAuthError('invalid_client', 'the client is not known');
    res.status(200).end();
  },
};
