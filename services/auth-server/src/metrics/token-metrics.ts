import { Counter, type Registry } from 'prom-client';

/** What an access token was issued for; `token_exchange` for a personal token. */
export type GrantType = 'authorization_code' | 'refresh_token' | 'token_exchange';

export type CountIssuedToken = (grantType: GrantType) => void;

export function countIssuedTokens(registry: Registry): CountIssuedToken {
  const tokens = new Counter({
    name: 'access_tokens_issued_total',
    help: 'Access tokens issued.',
    labelNames: ['grant_type'],
    registers: [registry],
  });
  return (grantType) => tokens.inc({ grant_type: grantType });
}
