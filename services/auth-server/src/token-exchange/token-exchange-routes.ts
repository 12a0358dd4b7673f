import type { Request, Response } from 'express';
import type { InferType } from 'yup';
import { AppError } from '#shared/errors/app-error.ts';
import { apiRootPath, protectedResourceMetadataUrl } from '#shared/http/protected-resource-urls.ts';
import { queryOf, readJsonBody } from '#shared/http/request-input.ts';
import { applyVerdict } from '#shared/rate-limit/limit-headers.ts';
import { bearerChallenge, hasTokenInQuery, tokenInQueryMessage } from '#shared/tokens/bearer-challenge.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { requestOrigin } from '../audit/audit-trail.ts';
import type { Route } from '../http/route.ts';
import { openSession } from '../session.ts';
import {
  accessTokenUrn,
  tokenExchange,
  type tokenExchangeAnswer,
  tokenExchangeBody,
} from './token-exchange-operation.ts';
import { exchangeToken, findSubjectToken, type IssuedToken } from './token-exchange-service.ts';

export const tokenExchangeRoute: Route = {
  path: `${apiRootPath}${tokenExchange.path}`,
  method: 'post',
  async handler({ context, req, res }) {
    refuseTokenInQuery(req, res, context.config.baseUrl);
    const body = validateInput(tokenExchangeBody, await readJsonBody(req, res, ['application/json']), 'body');
    const { accessTokenTtlSeconds } = context.config;
    const session = openSession(context, requestOrigin(req, context.config.trustedProxyHops, 'app'));
    const subject = await findSubjectToken(session, body.subjectToken, accessTokenTtlSeconds);
    applyVerdict(res, await context.tokenLimiter.consume(subject.token.id));
    const issued = await exchangeToken(context, subject, body.scope);
    context.metrics.countIssuedToken('token_exchange');
    res.json(present(issued));
  },
};

function refuseTokenInQuery(req: Request, res: Response, baseUrl: string): void {
  if (!hasTokenInQuery(queryOf(req))) return;
  const refusal = new AppError('token_invalid', { message: tokenInQueryMessage });
  const challenge = bearerChallenge(refusal, protectedResourceMetadataUrl(baseUrl), null);
  if (challenge) res.setHeader('WWW-Authenticate', challenge);
  throw refusal;
}

function present(issued: IssuedToken): InferType<typeof tokenExchangeAnswer> {
  return {
    accessToken: issued.accessToken,
    issuedTokenType: accessTokenUrn,
    tokenType: 'Bearer',
    expiresIn: issued.expiresInSeconds,
    scope: issued.scopes.join(' '),
  };
}
