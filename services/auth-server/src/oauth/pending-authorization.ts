import { errors, type InteractionResults } from 'oidc-provider';
import { knownScopes, type Scope } from '#shared/scopes.ts';
import { isNamedHostUrl } from '../clients/request-public-host.ts';
import type { Exchange } from '../http/route.ts';
import { expiredAuthorization } from './authorization-error.ts';
import { interactionPath } from './oauth-paths.ts';
import type { ProviderSource, StartedInteraction } from './provider.ts';

/** A validated authorization request, pending the user's decision. */
export type PendingAuthorization = {
  uid: string;
  clientId: string;
  /** The app's name, or its id. */
  clientName: string;
  /** Where the client says that its logo is; undefined where we would not fetch it. */
  logoUri: string | undefined;
  redirectUri: string;
  scopes: Scope[];
  /** The URL that continues with the decision. */
  returnTo: string;
  /** Decided, but the browser has not continued yet. */
  isDecided: boolean;
};

type ProviderContext = { oauthProvider: ProviderSource };

export function describeAuthorization({ interaction, client }: StartedInteraction): PendingAuthorization {
  const { uid, params, returnTo, result } = interaction;
  return {
    uid,
    clientId: client.clientId,
    clientName: client.clientName ?? client.clientId,
    logoUri: usableLogo(client.logoUri),
    redirectUri: String(params.redirect_uri),
    scopes: knownScopes(String(params.scope).split(' ')),
    returnTo,
    isDecided: result !== undefined,
  };
}

function usableLogo(logoUri: string | undefined): string | undefined {
  const url = logoUri === undefined ? null : URL.parse(logoUri);
  return url !== null && isNamedHostUrl(url) ? url.href : undefined;
}

/** The pending request of this browser, by its cookie; undefined if there is none or it has expired. */
export async function findPendingAuthorization(
  exchange: Exchange,
): Promise<PendingAuthorization | undefined> {
  const { context, req, res } = exchange;
  const { provider } = await context.oauthProvider();
  try {
    const interaction = await provider.interactionDetails(req, res);
    const client = await provider.Client.find(String(interaction.params.client_id));
    return client && describeAuthorization({ interaction, client });
  } catch (error) {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  }
}

/** The same by the path, which only its browser knows, for pages outside the cookie's path. */
export async function findAuthorizationAt(
  { oauthProvider }: ProviderContext,
  path: string,
): Promise<PendingAuthorization | undefined> {
  const start = `${interactionPath}/`;
  if (!path.startsWith(start)) return undefined;
  const [uid = ''] = path.slice(start.length).split('?');
  const { provider } = await oauthProvider();
  const interaction = await provider.Interaction.find(uid);
  const client = interaction && (await provider.Client.find(String(interaction.params.client_id)));
  return client && describeAuthorization({ interaction, client });
}

/** Throws PageError if the browser has continued with a concurrent decision. */
export async function finishAuthorization(
  { context, req, res }: Exchange,
  decision: InteractionResults,
): Promise<void> {
  const { provider } = await context.oauthProvider();
  try {
    await provider.interactionFinished(req, res, decision, { mergeWithLastSubmission: false });
  } catch (error) {
    throw error instanceof errors.SessionNotFound ? expiredAuthorization() : error;
  }
}
