import { revokePath } from '#shared/contracts/oauth-paths.ts';
import { requestOrigin } from '../audit/origin.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { openSession } from '../session.ts';
import { withoutEmptyValues } from './authorization-request.ts';
import { OAuthError } from './oauth-error.ts';
import { readOAuthForm } from './oauth-form.ts';
import { revokeToken } from './revocation-service.ts';

/** Token revocation (RFC 7009 §2). The package's own knows no JWTs. */
export function revokeRoute(context: Context): Route {
  return {
    path: revokePath,
    method: 'post',
    async handler(req, res) {
      const form = withoutEmptyValues(await readOAuthForm(req, res));
      const token = requireOnce(form, 'token');
      const clientId = requireOnce(form, 'client_id');
      const session = openSession(context, requestOrigin(req, context.config.trustedProxyHops, 'app'));
      const isOwn = await revokeToken(session, context.accessTokenReader, { token, clientId });
      // Whose own token it is, that client is known, also while its metadata document can't be had.
      if (!isOwn && (await context.findClient(clientId)) === undefined)
        throw new OAuthError('invalid_client', 'the client is not known');
      res.status(200).end();
    },
  };
}

function requireOnce(form: URLSearchParams, name: string): string {
  const [value, ...others] = form.getAll(name);
  if (value === undefined) throw new OAuthError('invalid_request', `missing required parameter '${name}'`);
  if (others.length > 0) throw new OAuthError('invalid_request', `'${name}' must not be sent twice`);
  return value;
}
