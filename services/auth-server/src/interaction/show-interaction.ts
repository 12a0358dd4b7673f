import { scopes } from '#shared/scopes.ts';
import { findBrowserUser, lacksSecondFactor } from '../browser/browser-session-service.ts';
import { csrfField } from '../browser/csrf.ts';
import { sendPage } from '../html/page.ts';
import type { Exchange } from '../http/route.ts';
import { listConnectedGrants } from '../oauth/grant-repository.ts';
import { interactionPath } from '../oauth/oauth-paths.ts';
import type { PendingAuthorization } from '../oauth/pending-authorization.ts';
import { openOwnerSession } from '../session.ts';
import { signInPage } from '../sign-in/sign-in-form.ts';
import { pathWithReturn, signInPath, signOutPath } from '../sign-in/sign-in-paths.ts';
import { consentPage } from './consent-page.ts';

/** The page of an authorization request: sign-in, or consent once signed in. */
export async function showInteraction(
  exchange: Exchange,
  authorization: PendingAuthorization,
  error?: string,
): Promise<void> {
  const { context, req, res } = exchange;
  const path = `${interactionPath}/${authorization.uid}`;
  const user = await findBrowserUser(context, req);
  // That page leads to the setup and then back.
  if (user && lacksSecondFactor(context, user)) return res.redirect(303, pathWithReturn(signInPath, path));
  if (user === undefined) {
    sendPage(res, signInPage({ ...exchange, returnTo: path, app: authorization }));
    return;
  }
  const session = openOwnerSession(context, req);
  const apps = await listConnectedGrants(session.em, user.account.id, session.clock.now());
  const held = apps
    .filter(({ clientId }) => clientId === authorization.clientId)
    .flatMap(({ scopes }) => scopes);
  const page = consentPage({
    ...authorization,
    logoUrl: authorization.logoUri && `${path}/logo`,
    interactionPath: path,
    user,
    heldScopes: scopes.filter((scope) => held.includes(scope)),
    error,
    csrf: csrfField(exchange, path),
    signOutCsrf: csrfField(exchange, signOutPath),
  });
  sendPage(res, page, {
    status: error === undefined ? 200 : 400,
    allowsAnyFormAction: true,
  });
}
