import { requestOrigin } from '../audit/audit-trail.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { openSession } from '../session.ts';
import { OAuthError } from './oauth-error.ts';
import { readOAuthForm, requireOnce } from './oauth-form.ts';
import { revokePath } from './oauth-paths.ts';
import { revokeToken } from './revocation-service.ts';

/** Token revocation (RFC 7009 §2). oidc-provider revokes no JWTs. */
export function revokeRoute(context: Context): Route {
  return {
    path: revokePath,
    method: 'post',
    async handler(req, res) {
      const form = await readOAuthForm(req, res);
      const token = requireOnce(form, 'token');
      const clientId = requireOnce(form, 'client_id');
      const session = openSession(context, requestOrigin(req, context.config.trustedProxyHops, 'app'));
      const isOwn = await revokeToken(session, context.accessTokenReader, { token, clientId });
      // The owner of a token is known, even while its metadata document can't be fetched.
      if (!isOwn && (await context.clients.find(clientId)) === undefined)
        throw new OAuthError('invalid_client', 'the client is not known');
      res.status(200).end();
    },
  };
}
