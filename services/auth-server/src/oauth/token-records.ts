import type { IncomingMessage } from 'node:http';
import { isDocumentClientId } from '../clients/fetch-client-document.ts';
import type { Context } from '../context.ts';
import {
  type AskedToken,
  findToken,
  type GrantOfToken,
  type OAuthTokenKind,
  type StoredToken,
} from './oauth-token-repository.ts';
import { Provider } from './oidc-provider.ts';

type TokenRecords = {
  asked: AskedToken;
  stored: StoredToken | undefined;
  /** Whether what is issued next takes the place of what was asked for. */
  isRotated: boolean;
};

const records = new WeakMap<IncomingMessage, TokenRecords>();

/** The member of a token request that holds what is exchanged, by the grant type. */
const members: Readonly<Record<OAuthTokenKind, string>> = {
  authorization_code: 'code',
  refresh_token: 'refresh_token',
};

/**
 * Reads at once what the package asks for one after the other: the client, the token, its grant. Should the grant
 * end in between, what is issued under it can't be stored, and the request is refused all the same.
 */
export async function readTokenRecords(
  { em, clock }: Pick<Context, 'em' | 'clock'>,
  req: IncomingMessage,
  form: URLSearchParams,
): Promise<void> {
  const asked = readAskedToken(form);
  if (asked !== undefined) {
    records.set(req, { asked, stored: await findToken(em, asked, clock.now()), isRotated: false });
  }
}

function readAskedToken(form: URLSearchParams): AskedToken | undefined {
  const kind = form.get('grant_type');
  if (kind !== 'authorization_code' && kind !== 'refresh_token') return undefined;
  const value = form.get(members[kind]);
  return value === null ? undefined : { kind, value };
}

/** Undefined where it was not read; `stored` is undefined where there is no such token. */
export function keptToken({ kind, value }: AskedToken): TokenRecords | undefined {
  const known = recordsOfRequest();
  return known?.asked.kind === kind && known.asked.value === value ? known : undefined;
}

/** Notes that the token of this request is to be consumed, by the very statement that stores its successor. */
export function noteRotation(value: string): void {
  const known = keptToken({ kind: 'refresh_token', value });
  if (known === undefined) throw new Error('the package rotates a token that no request came with');
  known.isRotated = true;
}

/** The value of the refresh token whose rotation was noted. */
export function rotatedToken(): string | undefined {
  const known = recordsOfRequest();
  return known?.isRotated === true ? known.asked.value : undefined;
}

export function keptGrant(id: string, now: Date): GrantOfToken | undefined {
  const grant = recordsOfRequest()?.stored?.grant;
  return grant?.id === id && grant.expiresAt > now ? grant : undefined;
}

/** The client that the token was issued to, as far as that needs no further look-up. */
export function keptClient(clientId: string): Record<string, unknown> | undefined {
  const stored = recordsOfRequest()?.stored;
  if (stored?.grant.clientId !== clientId) return undefined;
  if (stored.clientMetadata !== undefined) return JSON.parse(stored.clientMetadata);
  return isDocumentClientId(clientId) ? clientOfDocument(clientId) : undefined;
}

/**
 * What a document says counts when its client is connected, so that a host's outage ends no connection. Of its members
 * the package wants a redirect URI, which it does not compare here: the code holds the one it was sent to.
 */
function clientOfDocument(clientId: string): Record<string, unknown> {
  return { client_id: clientId, redirect_uris: [clientId] };
}

function recordsOfRequest(): TokenRecords | undefined {
  const req = Provider.ctx?.req;
  return req && records.get(req);
}
