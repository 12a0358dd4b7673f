import type { Request, Response } from 'express';
import { queryOf } from '#shared/http/request-input.ts';
import type { AddressKey } from '#shared/rate-limit/address-limit.ts';
import { applyVerdict, type LimitVerdict, showVerdict } from '#shared/rate-limit/limit-headers.ts';
import type { ApiRateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import type { AccountVersion, Count, RequestCounter } from '#shared/rate-limit/request-counter.ts';
import type { AccountShare } from '../http/account-share.ts';
import type { Authenticator } from './authenticate.ts';
import { readBearerToken } from './bearer-token.ts';
import type { Principal } from './principal.ts';
import type { TokenCache, TokenOwner } from './token-cache.ts';
import { TokenRefusal } from './token-refusal.ts';

type AdmissionOptions = {
  counter: RequestCounter;
  authenticate: Authenticator;
  tokenCache: TokenCache;
  addressKeyOf: AddressKey;
  accountShare: Pick<AccountShare, 'enter' | 'beforeBody'>;
  limiters: Record<'address' | 'token' | 'session', ApiRateLimiter>;
};

/** Authenticates requests and applies the limits of address and token. */
export function createAdmission(options: AdmissionOptions) {
  const { counter, authenticate, tokenCache, addressKeyOf, accountShare, limiters } = options;

  const countOfAddress = (req: Request): Count | undefined => {
    const key = addressKeyOf(req);
    return key === undefined ? undefined : { limit: limiters.address.limit, key };
  };
  const countOf = ({ kind, credentialId }: Pick<TokenOwner, 'kind' | 'credentialId'>): Count => {
    const { limit } = kind === 'browser' ? limiters.session : limiters.token;
    return { limit, key: credentialId };
  };
  const identify = (sent: ReturnType<typeof readBearerToken>, version: AccountVersion | undefined) =>
    authenticate(sent, (digest, read) => tokenCache.readThrough(digest, version, read)).catch(
      (error: unknown) => {
        if ('digest' in sent && error instanceof TokenRefusal) tokenCache.delete(sent.digest);
        throw error;
      },
    );
  const exchange = (counts: readonly (Count | undefined)[], accountId?: string) =>
    counter.exchange(
      counts.filter((count) => count !== undefined),
      accountId,
    );

  return {
    /**
     * Throws, in this order: rate_limited for the address; token_missing or token_invalid;
     * service_unavailable above the account's share; the errors of `beforeTokenLimit`; rate_limited for the
     * token. Only requests that pass the earlier checks count for the token.
     */
    async admit(
      req: Request,
      res: Response,
      query: URLSearchParams,
      beforeTokenLimit?: (principal: Principal) => Promise<void>,
    ): Promise<Principal> {
      const sent = readBearerToken(req, query);
      const known = 'digest' in sent ? tokenCache.ownerOf(sent.digest) : undefined;
      const [address, token] = [countOfAddress(req), known && countOf(known)];
      using counted = await exchange([address, token], known?.accountId);
      if (address !== undefined) applyVerdict(res, counted.decide(address));
      const principal = await identify(sent, counted.version);
      accountShare.enter(principal.account.id, req, res);
      await beforeTokenLimit?.(principal);
      if (token !== undefined && token.key === principal.credentialId) {
        applyVerdict(res, counted.decide(token));
        return principal;
      }
      // The first request of the token in this process: its owner was unknown.
      const first = countOf(principal);
      using countedFirst = await exchange([first]);
      applyVerdict(res, countedFirst.decide(first));
      return principal;
    },
    /**
     * Reads the body of an authorised request within the account's share. A body that arrives after the token
     * was checked has it checked again, so that a request held open does not outlive its token. Throws
     * token_invalid.
     */
    async readBody<Body>(req: Request, { account }: Principal, read: () => Promise<Body>): Promise<Body> {
      const isHere = req.complete;
      await accountShare.beforeBody(account.id, req);
      const body = await read();
      if (isHere) return body;
      using counted = await exchange([], account.id);
      await identify(readBearerToken(req, queryOf(req)), counted.version);
      return body;
    },
    /** Counts another request in the same message as an authorised one. Throws rate_limited. */
    async countFurther(req: Request, res: Response, principal: Principal): Promise<void> {
      const [address, token] = [countOfAddress(req), countOf(principal)];
      using counted = await exchange([address, token]);
      if (address !== undefined) applyVerdict(res, counted.decide(address));
      applyVerdict(res, counted.decide(token));
    },
    /** Counts an entry of a list for the token only: the address sent one request. */
    async countEntry(res: Response, principal: Principal): Promise<LimitVerdict> {
      const entry = countOf(principal);
      using counted = await exchange([entry]);
      const verdict = counted.decide(entry);
      showVerdict(res, verdict);
      return verdict;
    },
  };
}
