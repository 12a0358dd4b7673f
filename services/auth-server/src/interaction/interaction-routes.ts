import { AppError } from '#shared/errors/app-error.ts';
import { isScope, type Scope } from '#shared/scopes.ts';
import { findSignedInUser, ownerOf } from '../browser/browser-session-service.ts';
import { readVerifiedForm } from '../browser/csrf.ts';
import type { Exchange, Route } from '../http/route.ts';
import { sendLogo } from '../http/send-logo.ts';
import { mailOrigin } from '../mail/mail-facts.ts';
import { expiredAuthorization, waitingElsewhere } from '../oauth/authorization-error.ts';
import { createGrant } from '../oauth/grant-service.ts';
import { interactionPath } from '../oauth/oauth-paths.ts';
import {
  findAuthorizationAt,
  findPendingAuthorization,
  finishAuthorization,
} from '../oauth/pending-authorization.ts';
import { openOwnerSession } from '../session.ts';
import { showInteraction } from './show-interaction.ts';

/** Longer than the code's lifetime, since a client may redeem it in the last second. */
const redemptionMarginSeconds = 60;

const path = `${interactionPath}/:uid`;

export const interactionRoutes: readonly Route[] = [
  {
    path,
    method: 'get',
    handler: async (exchange) => showInteraction(exchange, await requirePending(exchange)),
  },
  { path, method: 'post', handler: decide },
  { path: `${path}/logo`, method: 'get', handler: showLogo },
];

/** Fetched only for a shown consent page, which does not wait for it. */
async function showLogo(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const { logoUri } = await requirePending(exchange, '/logo');
  const user = await findSignedInUser(context, req);
  const isShown = user !== undefined && logoUri !== undefined;
  sendLogo(res, isShown ? await context.clientLogos.find(logoUri, context.addressKeyOf(req)) : undefined);
}

async function decide(exchange: Exchange): Promise<void> {
  const { context, req, res } = exchange;
  const form = await readVerifiedForm(exchange);
  const pending = await requirePending(exchange);
  // A form submitted twice connects once.
  if (pending.isDecided) return res.redirect(303, pending.returnTo);
  const user = await findSignedInUser(context, req);
  // Signed out meanwhile: the page asks to sign in again.
  if (user === undefined) return res.redirect(303, req.path);
  const answer = form.get('decision');
  if (answer === 'deny') {
    const refusal = { error: 'access_denied', error_description: 'the user did not allow it' };
    return finishAuthorization(exchange, refusal);
  }
  if (user.account.status === 'suspended') throw new AppError('account_suspended');
  const scopes = allowedScopes(form, pending.scopes);
  if (answer !== 'allow' || scopes.length === 0) {
    const error = 'Choose at least one thing the app may do, or “Don’t allow”.';
    return showInteraction(exchange, pending, error);
  }
  const { id: accountId } = user.account;
  const session = openOwnerSession(context, req);
  const decision = {
    accountId,
    browser: ownerOf(user),
    clientId: pending.clientId,
    clientName: pending.clientName,
    scopes,
    authorizationUid: pending.uid,
    redeemWithinSeconds: context.config.authorizationCodeTtlSeconds + redemptionMarginSeconds,
  };
  const grant = await session.em.transactional(async (em) => {
    const made = await createGrant({ ...session, em }, decision);
    if (made?.isNew) {
      const event = { accountId, event: 'app_connected', subjectName: pending.clientName, scopes } as const;
      await context.notices?.notify(em, { ...event, ...mailOrigin(session) });
    }
    return made;
  });
  if (grant === undefined) return res.redirect(303, req.path);
  if (grant.isNew) context.metrics.countAuditEvent('app_connected');
  context.clientLogos.keep(pending.clientId, pending.logoUri, context.addressKeyOf(req));
  return finishAuthorization(exchange, {
    login: { accountId, remember: false },
    consent: { grantId: grant.id },
  });
}

/** Limits the form's scopes to the requested ones. */
function allowedScopes(form: URLSearchParams, asked: readonly Scope[]): Scope[] {
  const ticked = form.getAll('scope').filter(isScope);
  return asked.filter((scope) => ticked.includes(scope));
}

async function requirePending(exchange: Exchange, below = '') {
  const { context, req } = exchange;
  const pending = await findPendingAuthorization(exchange);
  if (pending !== undefined && req.path === `${interactionPath}/${pending.uid}${below}`) return pending;
  const elsewhere = await findAuthorizationAt(context, req.path);
  if (below !== '' || elsewhere?.isDecided !== false) throw expiredAuthorization();
  throw waitingElsewhere((await findSignedInUser(context, req)) !== undefined);
}
