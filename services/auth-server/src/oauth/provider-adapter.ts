import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import Provider, { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Revoker } from '#shared/admission/revoker.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import type { AddressKey } from '#shared/rate-limit/address-limit.ts';
import { addSeconds, type Clock } from '#shared/time/clock.ts';
import { requestOrigin } from '../audit/audit-trail.ts';
import { isDocumentClientId } from '../clients/fetch-client-document.ts';
import type { Config } from '../config/config.ts';
import { openSession } from '../session.ts';
import type { ClientRegistry } from './client-registry.ts';
import { findGrant, type Grant } from './grant-repository.ts';
import { endGrant } from './grant-service.ts';
import { authorizePath } from './oauth-paths.ts';
import {
  consumeCode,
  deleteInteraction,
  findInteraction,
  findToken,
  insertCode,
  insertInteraction,
  issueRefreshToken,
  type NewToken,
  updateInteraction,
} from './oauth-token-repository.ts';

export type AdapterOptions = {
  em: EntityManager;
  clock: Clock;
  config: Config;
  clients: ClientRegistry;
  addressKeyOf: AddressKey;
  revoker: Revoker;
};

/** The other methods belong to disabled features. */
const unused = {
  async upsert() {},
  async find() {},
  async findByUserCode() {},
  async findByUid() {},
  async consume() {},
  // Codes and refresh tokens are deleted with their grant, and the grant whenever they are revoked.
  async destroy() {},
  async revokeByGrantId() {},
} satisfies Adapter;

/**
 * Stores oidc-provider's models in PostgreSQL, except its session: consent is always asked for, and our own
 * session has the user.
 */
export function createProviderAdapter(options: AdapterOptions): (model: string) => Adapter {
  const adapters: Readonly<Record<string, Adapter>> = {
    Client: { ...unused, find: (id) => findClient(options, id) },
    Interaction: interactionAdapter(options),
    Grant: grantAdapter(options),
    AuthorizationCode: codeAdapter(options),
    RefreshToken: refreshTokenAdapter(options),
  };
  return (model) => adapters[model] ?? unused;
}

/**
 * At the token endpoint no metadata document is fetched, so that a host's outage does not disconnect apps:
 * codes and refresh tokens are bound to the client's id, and the code to its redirect URI. The redirect URI
 * returned here is not compared.
 */
async function findClient({ clients, addressKeyOf }: AdapterOptions, id: string) {
  if (Provider.ctx?.oidc.route === 'token' && isDocumentClientId(id))
    return { client_id: id, redirect_uris: [id] };
  const req = Provider.ctx?.req;
  return clients.find(id, req && addressKeyOf(req));
}

/** `jti` is the request's uid, also in `returnTo`: neither is stored. */
function interactionAdapter({ em, clock, config }: AdapterOptions): Adapter {
  return {
    ...unused,
    async upsert(uid, payload, lifetimeSeconds) {
      const { jti: _uid, returnTo: _returnTo, ...kept } = payload;
      const text = JSON.stringify(kept);
      // A decision must not restore an ended request.
      if (payload.result === undefined) await insertInteraction(em, uid, text, endOf(clock, lifetimeSeconds));
      else if (!(await updateInteraction(em, uid, text))) throw endedInteraction();
    },
    async find(uid) {
      const payload = await findInteraction(em, uid, clock.now());
      if (payload === undefined) return undefined;
      const returnTo = `${config.baseUrl}${authorizePath}/${uid}`;
      return { ...parsePayload(payload), jti: uid, returnTo };
    },
    // oidc-provider destroys a request before it issues the code: one code per decision.
    async destroy(uid) {
      if (!(await deleteInteraction(em, uid))) throw endedInteraction();
    },
  };
}

function endedInteraction(): Error {
  return new errors.SessionNotFound('the browser went on with a parallel request');
}

/** The consent page creates grants; oidc-provider deletes one when a token is reused. */
function grantAdapter(options: AdapterOptions): Adapter {
  const { em, clock, config } = options;
  return {
    ...unused,
    async find(id) {
      const grant = await findGrant(em, id, clock.now());
      return grant && grantPayload(grant, apiRootOf(config.baseUrl));
    },
    destroy: (id) => endGrantOfReused(options, id),
  };
}

async function endGrantOfReused({ em, clock, config, revoker }: AdapterOptions, id: string): Promise<void> {
  const req = Provider.ctx?.req;
  if (req === undefined) throw new Error('oidc-provider ended a grant outside of a request');
  const origin = requestOrigin(req, config.trustedProxyHops, 'app');
  await endGrant(openSession({ em, clock, revoker }, origin), id, 'app_token_reused');
}

function grantPayload(grant: Grant, resource: string) {
  const { id, accountId, clientId, scopes, createdAt, expiresAt } = grant;
  const payload = {
    jti: id,
    kind: 'Grant',
    accountId,
    clientId,
    resources: { [resource]: scopes.join(' ') },
    iat: epochSeconds(createdAt),
    exp: epochSeconds(expiresAt),
  };
  return payload satisfies AdapterPayload & { resources: object };
}

function codeAdapter(options: AdapterOptions): Adapter {
  const { em, clock } = options;
  return {
    ...unused,
    async upsert(value, payload, lifetimeSeconds) {
      if (!(await insertCode(em, newToken(clock, value, payload, lifetimeSeconds))))
        throw new errors.InvalidGrant('the grant was revoked meanwhile');
    },
    async find(value) {
      const token = await findToken(em, 'authorization_code', value, clock.now());
      // During the first use a concurrent one is refused in `consume`: reported as reuse, it would end the
      // grant.
      const isReuse = token !== undefined && token.consumedAt !== null && token.hasSuccessor;
      if (token === undefined) return undefined;
      const payload = withValue(token.payload, value, isReuse);
      // oidc-provider checks a code's expiry before its reuse.
      const isExpired = Number(payload.exp) <= epochSeconds(clock.now());
      if (isReuse && isExpired && isRedeemer(payload))
        await endGrantOfReused(options, String(payload.grantId));
      return payload;
    },
    async consume(value) {
      if (!(await consumeCode(em, value, clock.now())))
        throw new errors.InvalidGrant('consumed by a parallel request');
    },
  };
}

/** Whether the request could have redeemed the code: only then may it end the grant (RFC 9700 §4.5). */
function isRedeemer(code: AdapterPayload): boolean {
  const { client, params } = Provider.ctx?.oidc ?? {};
  const challenge = hash('sha256', String(params?.code_verifier), 'base64url');
  return (
    client?.clientId === code.clientId &&
    params?.redirect_uri === code.redirectUri &&
    challenge === code.codeChallenge
  );
}

function refreshTokenAdapter({ em, clock, config }: AdapterOptions): Adapter {
  const { grantTtlSeconds, refreshReuseGraceSeconds } = config;
  return {
    ...unused,
    /**
     * Consumes the replaced token in the same statement. Within the grace period parallel refreshes all
     * succeed.
     */
    async upsert(value, payload, lifetimeSeconds) {
      const replaced = Provider.ctx?.oidc.entities.RotatedRefreshToken?.jti;
      const at = clock.now();
      const graceSince = refreshReuseGraceSeconds === 0 ? null : addSeconds(at, -refreshReuseGraceSeconds);
      const token = newToken(clock, value, payload, lifetimeSeconds);
      const isStored = await issueRefreshToken(em, token, { at, grantTtlSeconds, replaced, graceSince });
      if (!isStored)
        throw new errors.InvalidGrant('consumed by a parallel request, or the grant was revoked meanwhile');
    },
    async find(value) {
      const now = clock.now();
      const token = await findToken(em, 'refresh_token', value, now);
      if (token === undefined) return undefined;
      const elapsed = token.consumedAt === null ? 0 : now.getTime() - token.consumedAt.getTime();
      // With a clock that is behind, `elapsed` is negative: grace 0 must still mean none.
      const isInGrace = refreshReuseGraceSeconds > 0 && elapsed < refreshReuseGraceSeconds * 1_000;
      const isReuse = token.consumedAt !== null && token.hasSuccessor && !isInGrace;
      const payload = withValue(token.payload, value, isReuse);
      // Of another BASE_URL: only `invalid_grant` lets the app ask its user to connect it again.
      return payload.resource === apiRootOf(config.baseUrl) ? payload : undefined;
    },
  };
}

/** `jti` of a code or refresh token is its value, which is not stored. */
function newToken(
  clock: Clock,
  value: string,
  { jti: _value, ...payload }: AdapterPayload,
  lifetimeSeconds: number | undefined,
): NewToken {
  return {
    value,
    grantId: String(payload.grantId),
    payload: JSON.stringify(payload),
    expiresAt: endOf(clock, lifetimeSeconds),
  };
}

function withValue(payload: string, value: string, consumed: boolean): AdapterPayload {
  return { ...parsePayload(payload), ...(consumed && { consumed }), jti: value };
}

function endOf(clock: Clock, lifetimeSeconds: number | undefined): Date {
  if (lifetimeSeconds === undefined) throw new Error('oidc-provider stores a record without an expiry');
  return addSeconds(clock.now(), lifetimeSeconds);
}

function parsePayload(payload: string): AdapterPayload {
  return JSON.parse(payload);
}

function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
