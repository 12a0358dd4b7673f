import type { Route } from '../http/route.ts';
import { showInteraction } from '../interaction/show-interaction.ts';
import { refusedAuthorization } from './authorization-error.ts';
import { normaliseAuthorizationRequest } from './authorization-request.ts';
import { authorizePath } from './oauth-paths.ts';
import { describeAuthorization } from './pending-authorization.ts';
import { runProvider } from './provider.ts';

export const authorizeRoutes: readonly Route[] = [
  {
    path: authorizePath,
    method: 'get',
    async handler(exchange) {
      const { context, req, res } = exchange;
      const request = normaliseAuthorizationRequest(readQuery(req.url), context.config.baseUrl);
      req.url = `${authorizePath}?${requireSendable(request.toString())}`;
      const started = await runProvider(context.oauthProvider, req, res);
      if (started !== undefined) await showInteraction(exchange, describeAuthorization(started));
    },
  },
  {
    // oidc-provider resumes here and redirects to the client.
    path: `${authorizePath}/:uid`,
    method: 'get',
    async handler({ context: { oauthProvider }, req, res }) {
      await runProvider(oauthProvider, req, res);
    },
  },
];

/** Throws a PageError for invalid percent-encoding: `state` must be returned unchanged. */
function readQuery(url: string): URLSearchParams {
  const query = url.split('?').slice(1).join('?');
  try {
    decodeURIComponent(query.replaceAll('+', ' '));
  } catch {
    throw refusedAuthorization('invalid_request', 'the request is not valid UTF-8');
  }
  return new URLSearchParams(query);
}

/** `state` is returned in a Location header: clients and proxies accept 16 KiB of headers. */
const maximumRequestLength = 14_000;

function requireSendable(request: string): string {
  if (request.length <= maximumRequestLength) return request;
  throw refusedAuthorization('invalid_request', 'the request is too long');
}
