import { registerPath } from '#shared/contracts/oauth-paths.ts';
import { readJsonBody } from '#shared/http/json-body.ts';
import { RegistrationError } from '../clients/registration-error.ts';
import { type ClientMetadata, registeredMetadata } from '../clients/registration-policy.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { OAuthError } from './oauth-error.ts';
import { runProvider } from './provider-outcome.ts';

/** Dynamic client registration (RFC 7591 §3). */
export function registerRoute(context: Context): Route {
  return {
    path: registerPath,
    method: 'post',
    async handler(req, res) {
      const metadata = readMetadata(await readJsonBody(req, res, ['application/json']), context);
      await runProvider(context, req, res, JSON.stringify(metadata));
    },
  };
}

function readMetadata(body: unknown, { config }: Context): ClientMetadata {
  try {
    return registeredMetadata(body, { confidential: config.dcrConfidential });
  } catch (error) {
    if (error instanceof RegistrationError) throw new OAuthError(error.error, error.description);
    throw error;
  }
}
