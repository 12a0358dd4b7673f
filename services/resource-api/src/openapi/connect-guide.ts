import { apiRootOf } from '#shared/http/protected-resource-urls.ts';

/** The part of the guide for those who build an app that its users connect. */
export function connectGuide(baseUrl: string): string {
  return `## Connecting an app

An app needs no more than this service’s address, \`${baseUrl}\`, to which the paths below belong. All clients are public: PKCE with \`S256\` takes the place of a secret.

1. **Discover.** A request without a token is answered 401; \`resource_metadata\` in its \`WWW-Authenticate\` leads to \`/.well-known/oauth-protected-resource\`, which names the authorization server. \`/.well-known/oauth-authorization-server\` names everything else.
2. **Register** at \`POST /oauth/register\` (RFC 7591) and keep the \`client_id\`; or use the https URL of a client metadata document as \`client_id\`.
3. **Ask.** Send the user’s browser to \`/oauth/authorize\`. The user signs in, sees what is asked for and may allow less. The browser comes back with \`code\`, \`state\` and \`iss\`.
4. **Redeem** the code at \`POST /oauth/token\` for an access token, good for minutes, and a refresh token. \`scope\` says what was allowed. Every token is for the one audience \`${apiRootOf(baseUrl)}\`, whichever \`resource\` was named.
5. **Refresh** at the same place, and store the new refresh token each time: the one before soon stops working, and using it then disconnects the app. \`invalid_grant\` means: ask the user again; 401 \`invalid_client\`: register again.
6. **Revoke** at \`POST /oauth/revoke\` when the user signs out of the app.

Errors of these paths are OAuth’s, \`error\` and \`error_description\` (RFC 6749 §5.2); those of \`/oauth/authorize\` are shown to the user, or sent back to the app.

Whoever allowed an app sees it in [Settings, Connected apps](${baseUrl}/settings/apps) and can disconnect it there; its next request is answered 401. A change of the password disconnects every app.`;
}
