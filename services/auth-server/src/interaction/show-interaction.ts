import type { Request, Response } from 'express';
import { interactionPath } from '#shared/contracts/oauth-paths.ts';
import { findVisitor } from '../browser/browser-session-service.ts';
import { csrfField } from '../browser/trusted-form.ts';
import type { Context } from '../context.ts';
import { sendPage } from '../html/send-page.ts';
import type { PendingAuthorization } from '../oauth/pending-authorization.ts';
import { signInForm } from '../sign-in/sign-in-form.ts';
import { consentPage } from './consent-page.ts';

/** The page of an authorization request: sign-in, or consent once signed in. */
export async function showInteraction(
  context: Context,
  req: Request,
  res: Response,
  authorization: PendingAuthorization,
  problem?: string,
): Promise<void> {
  const path = `${interactionPath}/${authorization.uid}`;
  const visitor = await findVisitor(context, req);
  if (visitor === undefined) {
    const { clientName } = authorization;
    const body = signInForm({ context, req, res, returnTo: path, clientName });
    sendPage(res, { title: 'Sign in', body });
    return;
  }
  const page = consentPage({
    ...authorization,
    interactionPath: path,
    visitor,
    problem,
    csrf: csrfField(context, req, res, path),
    signOutCsrf: csrfField(context, req, res, '/sign-out'),
  });
  sendPage(res, page, {
    status: problem === undefined ? 200 : 400,
    formsLeadAnywhere: true,
  });
}
