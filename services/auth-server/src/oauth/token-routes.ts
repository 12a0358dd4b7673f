import { apiRootOf, canonicalResource } from '#shared/http/protected-resource-urls.ts';
import { scopes } from '#shared/scopes.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { OAuthError } from './oauth-error.ts';
import { readOAuthForm } from './oauth-form.ts';
import { tokenPath } from './oauth-paths.ts';
import { runProvider } from './provider.ts';

export function tokenRoute({ config, oauthProvider, metrics }: Context): Route {
  return {
    path: tokenPath,
    method: 'post',
    async handler(req, res) {
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
}

/**
 * Throws invalid_target for a resource that is not ours (RFC 8707 §2.2): oidc-provider would find out only after it
 * has consumed the code or the refresh token.
 */
function normaliseTokenRequest(form: URLSearchParams, baseUrl: string): void {
  const resources = form.getAll('resource');
  if (resources.some((value) => canonicalResource(value, baseUrl) === undefined))
    throw new OAuthError('invalid_target', 'the requested resource is not one of this server');
  if (resources.length > 0) form.set('resource', apiRootOf(baseUrl));
  const [scope, ...others] = form.getAll('scope');
  if (scope !== undefined && others.length === 0) narrowScope(form, scope);
}

/** Unknown scopes are dropped while a known one remains; none at all means all that were granted. */
function narrowScope(form: URLSearchParams, scope: string): void {
  const requested = scope.split(' ').filter((name) => name !== '');
  const known = scopes.filter((name) => requested.includes(name));
  if (requested.length === 0) form.delete('scope');
  else if (known.length > 0) form.set('scope', known.join(' '));
}
