import type { Request, Response } from 'express';
import type { Client, Interaction, InteractionResults } from 'oidc-provider';
import { isScope, type Scope } from '#shared/scopes.ts';
import type { Context } from '../context.ts';
import { errors } from './oidc-provider.ts';

/** A checked authorization request that waits for its user's decision. */
export type PendingAuthorization = {
  uid: string;
  clientId: string;
  /** What the app calls itself; its id where it has no name. */
  clientName: string;
  clientUri: string | undefined;
  redirectUri: string;
  scopes: Scope[];
  /** Where the browser goes with the decision. */
  returnTo: string;
  /** The decision is made; its browser has yet to go back with it. */
  isDecided: boolean;
};

type Pending = Pick<Interaction, 'uid' | 'params' | 'returnTo' | 'result'>;

export function describeAuthorization(
  { uid, params, returnTo, result }: Pending,
  client: Pick<Client, 'clientId' | 'clientName' | 'clientUri'> | undefined,
): PendingAuthorization {
  if (client === undefined) throw new Error('an authorization request without a client waits for its user');
  return {
    uid,
    clientId: client.clientId,
    clientName: client.clientName ?? client.clientId,
    clientUri: client.clientUri,
    redirectUri: String(params.redirect_uri),
    scopes: String(params.scope).split(' ').filter(isScope),
    returnTo,
    isDecided: result !== undefined,
  };
}

/** The request that waits in this browser, by its cookie; undefined when there is none, or no longer. */
export async function findPendingAuthorization(
  { oauthProvider }: Pick<Context, 'oauthProvider'>,
  req: Request,
  res: Response,
): Promise<PendingAuthorization | undefined> {
  const { provider } = await oauthProvider.current();
  try {
    const interaction = await provider.interactionDetails(req, res);
    const client = await provider.Client.find(String(interaction.params.client_id));
    return client && describeAuthorization(interaction, client);
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

/** Hands the decision to the package and sends the browser on. */
export async function finishAuthorization(
  { oauthProvider }: Pick<Context, 'oauthProvider'>,
  req: Request,
  res: Response,
  decision: InteractionResults,
): Promise<void> {
  const { provider } = await oauthProvider.current();
  const returnTo = await provider.interactionResult(req, res, decision, { mergeWithLastSubmission: false });
  res.redirect(303, returnTo);
}
