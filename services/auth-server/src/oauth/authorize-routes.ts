import { authorizePath } from '#shared/contracts/oauth-paths.ts';
import type { Context } from '../context.ts';
import { PageError } from '../html/page-error.ts';
import type { Route } from '../http/route.ts';
import { showInteraction } from '../interaction/show-interaction.ts';
import { normaliseAuthorizationRequest } from './authorization-request.ts';
import { type ProviderOutcome, runProvider } from './provider-outcome.ts';

export function authorizeRoutes(context: Context): Route[] {
  return [
    {
      path: authorizePath,
      method: 'get',
      async handler(req, res) {
        const request = normaliseAuthorizationRequest(readQuery(req.url), context.config.baseUrl);
        req.url = `${authorizePath}?${requireSendable(request.toString())}`;
        const outcome = await runProvider(context, req, res);
        if (outcome?.kind === 'refused') throw refusal(outcome);
        if (outcome?.kind === 'interaction') await showInteraction(context, req, res, outcome.authorization);
      },
    },
    {
      // Where the package takes the decision and sends the browser back to the client.
      path: `${authorizePath}/:uid`,
      method: 'get',
      async handler(req, res) {
        const outcome = await runProvider(context, req, res);
        if (outcome?.kind === 'refused') throw refusal(outcome);
      },
    },
  ];
}

/** Throws a PageError for what is not valid percent-encoded UTF-8: `state` must come back as it was sent. */
function readQuery(url: string): URLSearchParams {
  const query = url.split('?').slice(1).join('?');
  try {
    decodeURIComponent(query.replaceAll('+', ' '));
  } catch {
    throw refusal({ error: 'invalid_request', description: 'the request is not valid UTF-8', status: 400 });
  }
  return new URLSearchParams(query);
}

/**
 * Its `state` and more go back in a Location field, percent-encoded as here. What would not fit into the 16 KiB that
 * HTTP clients and proxies take of a response's head is refused before anybody is asked.
 */
const maximumRequestLength = 14_000;

function requireSendable(request: string): string {
  if (request.length <= maximumRequestLength) return request;
  throw refusal({ error: 'invalid_request', description: 'the request is too long', status: 400 });
}

const explanations: Readonly<Record<string, string>> = {
  invalid_client:
    'The app that sent you here is not known to this server. Try to connect it again from the app.',
  invalid_redirect_uri:
    'The app asked to send you to an address it has not registered. To keep your account safe, you stay here.',
  server_error: 'Something went wrong on our side. Try to connect the app again.',
};

function refusal({
  error,
  description,
  status,
}: Omit<Extract<ProviderOutcome, { kind: 'refused' }>, 'kind'>) {
  const explanation =
    explanations[error] ??
    'The app sent a request that can’t be answered. Try to connect it again from the app.';
  return new PageError({
    status,
    title: 'This app can’t be connected',
    message: `${explanation} (${error}${description === '' ? '' : `: ${description}`})`,
  });
}
