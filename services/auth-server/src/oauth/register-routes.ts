import { readJsonBody } from '#shared/http/request-input.ts';
import { RegistrationError, registeredMetadata } from '../clients/registration-policy.ts';
import type { Route } from '../http/route.ts';
import { OAuthError } from './oauth-error.ts';
import { registerPath } from './oauth-paths.ts';

/** Dynamic client registration (RFC 7591 §3). */
export const registerRoute: Route = {
  path: registerPath,
  method: 'post',
  async handler({ context: { config, clients }, req, res }) {
    const body = await readJsonBody(req, res, ['application/json']);
    try {
      const metadata = registeredMetadata(body, { confidential: config.dcrConfidential });
      res.status(201).json(await clients.register(metadata));
    } catch (error) {
      throw error instanceof RegistrationError ? new OAuthError(error.error, error.description) : error;
    }
  },
};
