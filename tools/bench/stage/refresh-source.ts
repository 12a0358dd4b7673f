import { tokenPath } from '#auth-server/oauth/oauth-paths.ts';
import { encodeRequest } from '../measure/http-request.ts';
import type { RequestSource } from '../measure/load.ts';
import type { Bench } from './bench.ts';
import { openConnector } from './oauth-apps.ts';
import type { ServerProcess } from './server-process.ts';

/** An app that refreshes again and again, each time with the refresh token of the answer before. */
export function refreshSource(app: { clientId: string; refreshToken: string }): RequestSource {
  let { refreshToken } = app;
  return {
    next: () =>
      encodeRequest({
        method: 'POST',
        path: tokenPath,
        contentType: 'application/x-www-form-urlencoded',
        body: String(
          new URLSearchParams({
            grant_type: 'refresh_token',
            client_id: app.clientId,
            refresh_token: refreshToken,
          }),
        ),
      }),
    hear(body) {
      const answer: { refresh_token: string } = JSON.parse(String(body));
      refreshToken = answer.refresh_token;
    },
  };
}

/** Apps of one account that are connected to the service, each to refresh over a connection of its own. */
export async function connectRefreshSources(
  bench: Bench,
  { databaseUrl, service, apps }: { databaseUrl: string; service: ServerProcess; apps: number },
): Promise<RequestSource[]> {
  const connector = await openConnector(bench, databaseUrl, service);
  const sources: RequestSource[] = [];
  for (let count = 0; count < apps; count += 1) {
    const { clientId, tokens } = await connector.connect();
    sources.push(refreshSource({ clientId, refreshToken: tokens.refresh_token }));
  }
  return sources;
}
