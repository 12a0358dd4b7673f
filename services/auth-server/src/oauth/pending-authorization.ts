import type { Request, Response } from 'express';
import type Provider from 'oidc-provider';
import type { Client, Interaction, InteractionResults } from 'oidc-provider';
import { interactionPath } from '#shared/contracts/oauth-paths.ts';
import { isScope, type Scope } from '#shared/scopes.ts';
import type { Context } from '../context.ts';
import { expiredAuthorization } from './expired-authorization.ts';
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
  /** The package's own record of it. */
  interaction: Interaction;
};

export function describeAuthorization(
  interaction: Interaction,
  client: Pick<Client, 'clientId' | 'clientName' | 'clientUri'> | undefined,
): PendingAuthorization {
  if (client === undefined) throw new Error('an authorization request without a client waits for its user');
  const { uid, params, returnTo, result } = interaction;
  return {
    uid,
    clientId: client.clientId,
    clientName: client.clientName ?? client.clientId,
    clientUri: client.clientUri,
    redirectUri: String(params.redirect_uri),
    scopes: String(params.scope).split(' ').filter(isScope),
    returnTo,
    isDecided: result !== undefined,
    interaction,
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
    return await describeStored(provider, await provider.interactionDetails(req, res));
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

/** The same by the path of its page, for pages that its cookie is not sent to: its browser alone knows the path. */
export async function findAuthorizationAt(
  { oauthProvider }: Pick<Context, 'oauthProvider'>,
  path: string,
): Promise<PendingAuthorization | undefined> {
  const start = `${interactionPath}/`;
  if (!path.startsWith(start)) return undefined;
  const [uid = ''] = path.slice(start.length).split('?');
  const { provider } = await oauthProvider.current();
  const interaction = await provider.Interaction.find(uid);
  return interaction && describeStored(provider, interaction);
}

async function describeStored(
  provider: Provider,
  interaction: Interaction,
): Promise<PendingAuthorization | undefined> {
  const client = await provider.Client.find(String(interaction.params.client_id));
  return client && describeAuthorization(interaction, client);
}

/**
 * Hands the decision to the package and sends the browser on. Throws PageError when the browser has gone on with a
 * decision that was made at the same time.
 */
export async function finishAuthorization(
  res: Response,
  { interaction, returnTo }: PendingAuthorization,
  decision: InteractionResults,
): Promise<void> {
  interaction.result = decision;
  await interaction.persist().catch((error: unknown) => {
    throw error instanceof errors.SessionNotFound ? expiredAuthorization() : error;
  });
  res.redirect(303, returnTo);
}
