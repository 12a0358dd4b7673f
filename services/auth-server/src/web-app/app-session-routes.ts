import type { AnySchema, InferType } from 'yup';
import {
  type AppReminderChannels,
  type AppSessionToken,
  appClientId,
  appSessionPath,
} from '#shared/app/app-protocol.ts';
import { invalidField } from '#shared/errors/errors.ts';
import { readJsonBody } from '#shared/http/request-input.ts';
import { applyVerdict } from '#shared/rate-limit/limit-headers.ts';
import { scopes } from '#shared/scopes.ts';
import { closedObject, text } from '#shared/validation/fields.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { ownerOf, requireSignedInUser } from '../browser/browser-session-service.ts';
import { isFromOwnPage } from '../browser/csrf.ts';
import type { Exchange, Route } from '../http/route.ts';
import { subscribeBrowser } from '../reminders/push-subscription-service.ts';
import { readReminderChannels } from '../reminders/reminder-settings-service.ts';
import { openOwnerSession } from '../session.ts';
import { signOutBrowserOf } from '../sign-in/sign-out.ts';
import { signAccessToken } from '../token-exchange/access-token-signer.ts';

const tokenLifetimeSeconds = 300;
const emptyBody = closedObject({}).label('body').defined();
const subscriptionBody = closedObject({
  endpoint: text(2_048).required(),
  keys: closedObject({ p256dh: text(200).required(), auth: text(100).required() }).required(),
})
  .label('body')
  .defined();

/**
 * Operations authenticated by the browser's cookie. Other sites cannot call them, so they need no CSRF token:
 * cross-site requests lack the cookie (SameSite=Lax), and cannot send JSON or omit Sec-Fetch-Site and Origin.
 */
export const appSessionRoutes: readonly Route[] = [
  { path: `${appSessionPath}/token`, method: 'post', handler: issueToken },
  { path: `${appSessionPath}/reminders`, method: 'get', handler: showReminderChannels },
  { path: `${appSessionPath}/push-subscription`, method: 'post', handler: renewSubscription },
  { path: `${appSessionPath}/sign-out`, method: 'post', handler: signOut },
];

/** Issues an access token for the signed-in user, valid as long as the browser's session. */
async function issueToken(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  await readOwnRequest(exchange, emptyBody);
  const user = await requireSignedInUser(context, req);
  applyVerdict(res, await context.limiters.appToken.consume(user.sessionId));
  const { id, email, timezone, plan, status } = user.account;
  const issuedAt = Math.floor(context.clock.now().getTime() / 1_000);
  const accessToken = await signAccessToken(
    context,
    {
      accountId: id,
      clientId: appClientId,
      grantId: user.sessionId,
      scopes: [...scopes],
      credentialVersion: undefined,
    },
    { issuedAt, expiresAt: issuedAt + tokenLifetimeSeconds },
  );
  context.metrics.countIssuedToken('browser_session');
  const account = { id, email, timezone, plan, status };
  res.json({ accessToken, expiresIn: tokenLifetimeSeconds, account } satisfies AppSessionToken);
}

async function showReminderChannels({ context, req, res }: Exchange): Promise<void> {
  const user = await requireSignedInUser(context, req);
  const { push, mail } = await readReminderChannels(openOwnerSession(context, req), user.account.id);
  res.json({ push, mail: mail && context.mail !== undefined } satisfies AppReminderChannels);
}

/** A browser may exchange its subscription for another one at any time. */
async function renewSubscription(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const body = await readOwnRequest(exchange, subscriptionBody);
  const user = await requireSignedInUser(context, req);
  const { endpoint, keys } = body;
  await subscribeBrowser(openOwnerSession(context, req), context.pushServices, ownerOf(user), {
    endpoint,
    p256dh: keys.p256dh,
    authSecret: keys.auth,
  });
  res.status(204).end();
}

async function signOut(exchange: Exchange): Promise<void> {
  await readOwnRequest(exchange, emptyBody);
  await signOutBrowserOf(exchange);
  exchange.res.status(204).end();
}

async function readOwnRequest<Schema extends AnySchema>(
  { context, req, res }: Exchange,
  schema: Schema,
): Promise<InferType<Schema>> {
  if (!isFromOwnPage(context, req))
    throw invalidField('Origin', 'Origin and Sec-Fetch-Site must be those of a page of this service.');
  const body = await readJsonBody(req, res, ['application/json']);
  return validateInput(schema, body, 'body');
}
