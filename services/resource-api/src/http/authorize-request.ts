import type { Request, Response } from 'express';
import { commandHeader } from '#shared/app/app-protocol.ts';
import { AppError } from '#shared/errors/app-error.ts';
import type { Operation } from '#shared/http/operation.ts';
import { protectedResourceMetadataUrl } from '#shared/http/protected-resource-urls.ts';
import { changesData } from '#shared/scopes.ts';
import { bearerChallenge } from '#shared/tokens/bearer-challenge.ts';
import { isUuid } from '#shared/validation/fields.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import type { StreamTarget } from './route.ts';

/**
 * Returns the principal of a request after these checks, in this order: address limit 429, token 401, token
 * limit 429, scope 403, suspended 423. Requests refused by the address limit or with 401 do not count for the
 * token.
 */
export async function authorizeRequest(
  { config, admission }: Context,
  operation: Operation,
  req: Request,
  res: Response,
  query: URLSearchParams,
): Promise<Principal> {
  const metadataUrl = protectedResourceMetadataUrl(config.baseUrl);
  return await withBearerChallenge(res, metadataUrl, operation.scope, async () => {
    const principal = await admission.admit(req, res, query);
    requireScope(operation, principal);
    const command = req.get(commandHeader);
    return principal.kind === 'browser' && isUuid(command) ? { ...principal, callId: command } : principal;
  });
}

/** Reads the body of an authorised request. Throws token_invalid if its access has ended meanwhile. */
export function readAuthorizedBody<Body>(
  { admission, config }: Context,
  { scope }: Operation,
  { req, res }: StreamTarget,
  principal: Principal,
  read: () => Promise<Body>,
): Promise<Body> {
  const metadataUrl = protectedResourceMetadataUrl(config.baseUrl);
  return withBearerChallenge(res, metadataUrl, scope, () => admission.readBody(req, principal, read));
}

/** Adds WWW-Authenticate to the response if `authorize` throws an authentication or scope error. */
export async function withBearerChallenge<Result>(
  res: Response,
  metadataUrl: string,
  neededScope: string | null,
  authorize: () => Promise<Result>,
): Promise<Result> {
  try {
    return await authorize();
  } catch (error) {
    const challenge = error instanceof AppError && bearerChallenge(error, metadataUrl, neededScope);
    if (challenge) res.setHeader('WWW-Authenticate', challenge);
    throw error;
  }
}

/** Throws insufficient_scope and, for a write of a suspended account, account_suspended. */
export function requireScope({ scope }: Pick<Operation, 'scope'>, principal: Principal): void {
  if (scope !== null && !principal.scopes.includes(scope)) {
    throw new AppError('insufficient_scope', { message: `This operation needs the scope «${scope}».` });
  }
  if (changesData(scope) && principal.account.status === 'suspended') throw new AppError('account_suspended');
}
