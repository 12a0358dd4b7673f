import { object, string } from 'yup';
import type { Operation } from '#shared/http/operation.ts';
import { isScope, scopeListPattern, scopes } from '#shared/scopes.ts';
import { closedObject, enumeration, integer, text } from '#shared/validation/fields.ts';

const tokenExchangeGrantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
export const accessTokenUrn = 'urn:ietf:params:oauth:token-type:access_token';

const scopeList = () => string().meta({ json: { pattern: scopeListPattern } });

export const tokenExchangeBody = closedObject({
  grantType: enumeration([tokenExchangeGrantType]).meta({ description: 'May be left out.' }),
  subjectToken: string().required().meta({ description: 'The personal token to exchange.' }),
  subjectTokenType: enumeration([accessTokenUrn]).meta({ description: 'May be left out.' }),
  scope: scopeList()
    .test(
      'scope',
      `\${path} must be one or more of ${scopes.join(', ')}, separated by single spaces`,
      (value) => value === undefined || value.split(' ').every(isScope),
    )
    .meta({ description: 'No wider than the personal token’s. Not given: the same.', example: 'read' }),
})
  .label('body')
  .defined()
  .meta({ schemaName: 'TokenExchange' });

export const tokenExchangeAnswer = object({
  accessToken: text(Number.MAX_SAFE_INTEGER)
    .defined()
    .meta({ description: 'A bearer token for this API (a JWT, RFC 9068).', json: {} }),
  issuedTokenType: enumeration([accessTokenUrn]).defined(),
  tokenType: enumeration(['Bearer']).defined(),
  expiresIn: integer(1, 86_400).defined().meta({ description: 'Seconds.', example: 600 }),
  scope: scopeList().defined().meta({ description: 'What the access token may do.', example: 'read' }),
}).meta({ schemaName: 'TokenExchangeAnswer' });

/** Served by auth-server, which has the signing keys; documented with the API. */
export const tokenExchange: Operation = {
  operationId: 'exchangeToken',
  method: 'post',
  path: '/auth/token',
  tag: 'Account',
  summary: 'Exchange a personal token for a short-lived access token',
  description:
    'RFC 8693 with this API’s member names: exchanges a personal token for a short-lived one of ' +
    'equal or narrower scope, for a page or a worker. It expires with the personal token at the ' +
    'latest, ends when that is revoked or the account’s password changes, and shares its rate ' +
    'limit. An access token can’t be exchanged. Takes no bearer header, and refuses a token in the ' +
    'query string.',
  scope: null,
  body: tokenExchangeBody,
  success: { status: 200, description: 'The access token.', schema: tokenExchangeAnswer },
  errors: ['invalid_grant', 'token_invalid'],
  requestExample: {
    grantType: tokenExchangeGrantType,
    subjectToken: '<API_TOKEN>',
    subjectTokenType: accessTokenUrn,
    scope: 'read',
  },
};
