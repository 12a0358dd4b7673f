import type { Request, Response } from 'express';
import { AppError } from '#shared/errors/app-error.ts';
import type { Operation } from '#shared/http/operation.ts';
import { protectedResourceMetadataUrl } from '#shared/http/protected-resource-urls.ts';
import { applyVerdict } from '#shared/rate-limit/limit-headers.ts';
import type { LimitVerdict } from '#shared/rate-limit/limit-verdict.ts';
import { bearerChallenge } from '#shared/tokens/bearer-challenge.ts';
import type { KnownToken } from '../auth/known-tokens.ts';
import type { Principal } from '../auth/principal.ts';
import type { Context } from '../context.ts';
import type { Route } from './route.ts';

/** Lets a request in, or throws: by its address 429, 401, by its token 429, by its scope 403, suspended 423. */
export async function admit(
  context: Context,
  { operation, awaitsWrites }: Route,
  req: Request,
  res: Response,
  query: URLSearchParams,
): Promise<Principal> {
  const known = context.knownTokens.find(req.headers.authorization);
  try {
    const principal = await (known === undefined
      ? admitNewcomer(context, req, res, query)
      : admitKnown(context, { req, res, query, ...known, awaitsWrites: awaitsWrites?.(query) ?? false }));
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

/** Whose request it is has to be found out before its token's limit can be asked. */
async function admitNewcomer(
  { addressKeyOf, addressLimiter, authenticate, knownTokens, tokenLimiter }: Context,
  req: Request,
  res: Response,
  query: URLSearchParams,
): Promise<Principal> {
  const address = addressKeyOf(req);
  if (address !== undefined) applyVerdict(res, await addressLimiter.consume(address));
  const principal = await authenticate(req, query);
  const { account, tokenId } = principal;
  knownTokens.remember(req.headers.authorization, { accountId: account.id, tokenId });
  applyVerdict(res, await tokenLimiter.consume(tokenId));
  return principal;
}

type KnownCaller = KnownToken & {
  req: Request;
  res: Response;
  query: URLSearchParams;
  awaitsWrites: boolean;
};

/** The same checks, with both limits in one exchange: what is not let in after all does not count for the token. */
async function admitKnown(
  context: Context,
  { req, res, query, accountId, tokenId, awaitsWrites }: KnownCaller,
): Promise<Principal> {
  const { accountTurns, authenticate, knownTokens, tokenLimiter } = context;
  const ofToken = await countKnown(context, req, res, tokenId);
  // Whoever is over the limit waits for nobody's writes.
  const authenticated =
    awaitsWrites && ofToken.isAllowed
      ? accountTurns.readAfterWrite(accountId, () => authenticate(req, query, true))
      : authenticate(req, query);
  const principal = await authenticated.catch(async (refusal: unknown) => {
    knownTokens.forget(req.headers.authorization);
    if (ofToken.isAllowed) await tokenLimiter.giveBack(tokenId);
    throw refusal;
  });
  applyVerdict(res, ofToken);
  return principal;
}

/** What the token's limit says, for after the 401; throws rate_limited for the address. */
async function countKnown(
  { addressKeyOf, addressLimiter, consumeInTurn, tokenLimiter }: Context,
  req: Request,
  res: Response,
  tokenId: string,
): Promise<LimitVerdict> {
  const address = addressKeyOf(req);
  if (address === undefined) return tokenLimiter.consume(tokenId);
  // Where the address refuses, the token is not asked, and what follows throws.
  const [ofAddress, ofToken = ofAddress] = await consumeInTurn(
    { limiter: addressLimiter, key: address },
    { limiter: tokenLimiter, key: tokenId },
  );
  applyVerdict(res, ofAddress);
  return ofToken;
}

/** Throws insufficient_scope and, for a write of a suspended account, account_suspended. */
export function requireScope({ scope }: Pick<Operation, 'scope'>, principal: Principal): void {
  if (scope !== null && !principal.scopes.includes(scope)) {
    throw new AppError('insufficient_scope', { message: `This operation needs the scope «${scope}».` });
  }
  if (scope === 'write' && principal.account.status === 'suspended') throw new AppError('account_suspended');
}
