import { readJsonBody } from '#shared/http/request-input.ts';
import { registeredMetadata } from '../clients/registration-policy.ts';
import type { Route } from '../http/route.ts';
import { registerPath } from './oauth-paths.ts';

/** Dynamic client registration (RFC 7591 §3). */
export const registerRoute: Route = {
  path: registerPath,
  method: 'post',
  async handler({ context: { config, clients }, req, res }) {
    const body = await readJsonBody(req, res, ['application/json']);
    const metadata = registeredMetadata(body, { confidential: config.dcrConfidential });
    res.status(201).json(await clients.register(metadata));
  },
};
