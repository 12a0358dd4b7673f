import { revokePath } from '#shared/contracts/oauth-paths.ts';
import { readFormBody } from '#shared/http/form-body.ts';
import { requestOrigin } from '../audit/origin.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { openSession } from '../session.ts';
import { withoutEmptyValues } from './authorization-request.ts';
import { OAuthError } from './oauth-error.ts';
import { revokeToken } from './revocation-service.ts';

/** Token revocation (RFC 7009 §2). The package's own knows no JWTs. */
export function revokeRoute(context: Context): Route {
  return {
    path: revokePath,
    method: 'post',
    async handler(req, res) {
      const form = withoutEmptyValues(await readFormBody(req, res));
      const token = requireOnce(form, 'token');
      const clientId = requireOnce(form, 'client_id');
      if ((await context.findClient(clientId)) === undefined) {
        throw new OAuthError('invalid_client', 'the client is not known');
      }
      const session = openSession(context, requestOrigin(req, context.config.trustedProxyHops, 'app'));
      await revokeToken(session, context.accessTokenReader, { token, clientId });
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
