import { tokenPath } from '#shared/contracts/oauth-paths.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { readOAuthForm } from './oauth-form.ts';
import { runProvider } from './provider-outcome.ts';
import { readTokenRecords } from './token-records.ts';
import { normaliseTokenRequest } from './token-request.ts';

export function tokenRoute(context: Context): Route {
  return {
    path: tokenPath,
    method: 'post',
    async handler(req, res) {
      const form = normaliseTokenRequest(await readOAuthForm(req, res), context.config.baseUrl);
      const grantType = form.get('grant_type');
      await readTokenRecords(context, req, form);
      await runProvider(context, req, res, form.toString());
      if (res.statusCode === 200) countIssued(context, grantType);
    },
  };
}

function countIssued({ metrics }: Context, grantType: string | null): void {
  if (grantType === 'authorization_code' || grantType === 'refresh_token')
    metrics.countIssuedToken(grantType);
}
