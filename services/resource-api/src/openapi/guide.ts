import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import { errorCodes } from './error-responses.ts';

/** The description of the API as a whole, in Markdown: what no single operation can say. */
export function createGuide(baseUrl: string): string {
  return `Tasks, projects and areas of one account, for scripts, mirrors, reports and assistants.

## Authentication

Send a token with every request: \`Authorization: Bearer <API_TOKEN>\`. A token in the query string is refused.

- **Personal tokens** are made in [Settings, API](${baseUrl}/settings/api) by the account’s owner. The secret is shown once; a revoked or expired token is refused at the next request.
- \`POST /auth/token\` turns a personal token into a short-lived one, to hand to a page or a worker.
- **Apps** that hold no personal token ask their user, with OAuth 2.0: see *Connecting an app*.

A token has the scopes \`read\`, \`write\` or both. They are independent: \`write\` does not imply \`read\`. Each operation names the one it needs.

${connectGuide(baseUrl)}

## Values

- Calendar dates (\`YYYY-MM-DD\`) and times of day (\`HH:mm\`) are civil dates in the **account’s timezone**, which \`GET /me\` names. “Today” is today there.
- Timestamps such as \`updatedAt\` are ISO 8601 in UTC, with milliseconds.
- Ids are UUIDs. Enumeration values are lowercase.
- Lengths count Unicode code points. Text is kept exactly as sent; too long is refused, never cut.

## Requests

Bodies are JSON in UTF-8, at most 2 MiB, with \`Content-Type: application/json\`. A field that the operation does not know is refused by name. Operations that take no body accept none, or \`{}\`.

\`PATCH\` takes a **merge patch** (RFC 7396), as \`application/json\` or \`application/merge-patch+json\`: an omitted field stays as it is, \`null\` clears it, an array replaces the whole array. So it is within \`recurrence\`: an omitted member stays, \`null\` takes it back to its default.

Unknown query parameters are ignored. \`HEAD\` is answered wherever \`GET\` is.

## Sending a request again

When the answer to a request does not arrive, nobody knows whether the request did. \`GET\`, \`PATCH\` and \`DELETE\` can simply be sent again. For a \`POST\`, send an \`Idempotency-Key\` of 1 to 255 visible ASCII characters along from the start, a new random UUID for each thing to be done, and the same one whenever that request is sent again. Within 24 hours it is done once: every further request is answered with the status and the body of the first success, and \`Idempotency-Replayed: true\`, even when what was made has changed since or is gone. A request still under way is waited for.

Keys belong to the token; all tokens of a connected app have them in common, and so do a personal token and what was exchanged for it. The same key with another path or body is answered 409 \`idempotency_key_reused\`; the order of members and query parameters do not count. A request that was refused did nothing and leaves its key free. \`POST /auth/token\` takes no key: it can be repeated as it is.

## Pages

Lists come in pages of \`limit\` entries. Follow \`nextCursor\` with the same parameters until it is \`null\`. Cursors are opaque. An entry that changes between two pages makes the next one skip no other entry; the entry itself may come twice, or not at all, where it moves to another place in the list. To have every task, changes meanwhile included, ask with \`updatedSince\`: what changes moves to the end, where it is still to come.

## Keeping a mirror

There are no webhooks. Poll \`GET /tasks?view=all&updatedSince=<greatest updatedAt seen>\` and follow \`nextCursor\`: every task that changed at or after that instant is there, logged and trashed ones included, ordered by \`updatedAt\`. No change is ever left out; a task already seen may come again, so store by \`id\`.

## Rate limits

120 requests a minute per token and 600 a minute per address, both as sliding windows. All tokens of a connected app count together, and so do a personal token and what was exchanged for it. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell the tighter of the two; a 429 says in \`Retry-After\` how many seconds to wait.

## Errors

Every error of the API has the same shape: \`errorType\`, \`errorCode\`, \`message\`, \`requestId\`, and on validation failures \`errors\`, a map of field names to messages. What is missing and what belongs to someone else are answered alike.

${errorTable()}

What is refused before it was read as a request (400, 408, 431) may have an empty body.

Checks come in this order: address limit, 401, token limit, scope, 423, 400, 404, plan limits, 409. What an \`Idempotency-Key\` brings, an earlier answer or its 409, comes right after 400.

## From a browser

Every origin may call the API with a bearer header (CORS, without credentials). \`RateLimit-*\`, \`Retry-After\`, \`Idempotency-Replayed\`, \`WWW-Authenticate\` and \`X-Request-Id\` can be read by scripts.

## Stability

This is \`v1\`. Within it nothing described here is taken away, renamed or made stricter. New operations, optional fields and parameters, response fields and error codes may be added: ignore what you do not know, and treat an unknown error code by its status. Operations marked \`x-extension\` go beyond the published interface.`;
}

function errorTable(): string {
  const rows = errorCodes
    .map((code) => ({ code, ...errorCatalogue[code] }))
    .toSorted((left, right) => left.status - right.status)
    .map(({ status, type, code, message }) => `| ${status} | \`${type}\` | \`${code}\` | ${message} |`);
  return ['| Status | errorType | errorCode | Meaning |', '|---|---|---|---|', ...rows].join('\n');
}

/** The part of the guide for those who build an app that its users connect. */
function connectGuide(baseUrl: string): string {
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
