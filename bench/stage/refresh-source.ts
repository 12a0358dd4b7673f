import { tokenPath } from '#shared/contracts/oauth-paths.ts';
import { encodeRequest } from '../measure/http-request.ts';
import type { RequestSource } from '../measure/load.ts';

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
