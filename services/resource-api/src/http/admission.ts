import type { Request, Response } from 'express';
import { AppError } from '#shared/errors/app-error.ts';
import type { Operation } from '#shared/http/operation.ts';
import { protectedResourceMetadataUrl } from '#shared/http/protected-resource-urls.ts';
import { applyVerdict } from '#shared/rate-limit/limit-headers.ts';
import { bearerChallenge } from '../auth/bearer-challenge.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import type { Route } from './route.ts';

type Caller = {
  req: Request;
  res: Response;
  /** Throws token_missing or token_invalid. */
  authenticate(): Promise<Principal>;
};

/** Lets a request in, or throws: by its address 429, 401, by its token 429, by its scope 403, suspended 423. */
export async function admit(
  context: Context,
  { operation, awaitsWrites }: Route,
  req: Request,
  res: Response,
  query: URLSearchParams,
): Promise<Principal> {
  const authenticate = (): Promise<Principal> => context.authenticate(req, query, awaitsWrites?.(query));
  try {
    const principal = await countAndAuthenticate(context, { req, res, authenticate });
    requireScope(operation, principal);
    return principal;
  } catch (error) {
    const challenge =
      error instanceof AppError &&
      bearerChallenge(error, protectedResourceMetadataUrl(context.config.baseUrl), operation.scope);
    if (challenge) res.setHeader('WWW-Authenticate', challenge);
    throw error;
  }
}

function countAndAuthenticate(context: Context, caller: Caller): Promise<Principal> {
  const address = context.addressKeyOf(caller.req);
  const tokenId = context.knownTokens.find(caller.req.headers.authorization);
  return address === undefined || tokenId === undefined
    ? countOneByOne(context, caller, address)
    : countTogether(context, caller, address, tokenId);
}

async function countOneByOne(
  { addressLimiter, knownTokens, tokenLimiter }: Context,
  { req, res, authenticate }: Caller,
  address: string | undefined,
): Promise<Principal> {
  if (address !== undefined) applyVerdict(res, await addressLimiter.consume(address));
  const principal = await authenticate();
  knownTokens.remember(req.headers.authorization, principal.tokenId);
  applyVerdict(res, await tokenLimiter.consume(principal.tokenId));
  return principal;
}

/** As one by one, in one exchange with Redis: what is not let in after all does not count for the token. */
async function countTogether(
  { addressLimiter, consumeInTurn, knownTokens, tokenLimiter }: Context,
  { req, res, authenticate }: Caller,
  address: string,
  tokenId: string,
): Promise<Principal> {
  const [ofAddress, ofToken] = await consumeInTurn(
    { limiter: addressLimiter, key: address },
    { limiter: tokenLimiter, key: tokenId },
  );
  applyVerdict(res, ofAddress);
  const principal = await authenticate().catch(async (refusal: unknown) => {
    knownTokens.forget(req.headers.authorization);
    if (ofToken?.isAllowed) await tokenLimiter.giveBack(tokenId);
    throw refusal;
  });
  if (ofToken) applyVerdict(res, ofToken);
  return principal;
}

/** Throws insufficient_scope and, for a write of a suspended account, account_suspended. */
export function requireScope({ scope }: Pick<Operation, 'scope'>, principal: Principal): void {
  if (scope !== null && !principal.scopes.includes(scope)) {
    throw new AppError('insufficient_scope', { message: `This operation needs the scope «${scope}».` });
  }
  if (scope === 'write' && principal.account.status === 'suspended') throw new AppError('account_suspended');
}
