import type { EntityManager } from '@mikro-orm/postgresql';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { authorizePath } from '#shared/contracts/oauth-paths.ts';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import type { Clock } from '#shared/time/clock.ts';
import { requestOrigin } from '../audit/origin.ts';
import type { Config } from '../config/config.ts';
import { findGrant } from '../connected-apps/grant-repository.ts';
import { openSession } from '../session.ts';
import { insertClient } from './client-repository.ts';
import type { FindClient } from './find-client.ts';
import { endReusedGrant } from './grant-service.ts';
import {
  deleteInteraction,
  findInteraction,
  insertInteraction,
  updateInteraction,
} from './interaction-repository.ts';
import {
  consumeToken,
  deleteToken,
  findToken,
  type GrantOfToken,
  insertCode,
  issueRefreshToken,
  type NewToken,
  type OAuthTokenKind,
} from './oauth-token-repository.ts';
import { errors, Provider } from './oidc-provider.ts';
import { keptClient, keptGrant, keptToken, noteRotation, rotatedToken } from './token-records.ts';

export type AdapterOptions = { em: EntityManager; clock: Clock; config: Config; findClient: FindClient };

/** What the package asks of a store for its models; the rest of the interface is of features that are off. */
const unused = {
  async upsert() {},
  async find() {},
  async findByUserCode() {},
  async findByUid() {},
  async consume() {},
  async destroy() {},
  // A grant takes its codes and refresh tokens along when it goes, and it goes whenever they are revoked.
  async revokeByGrantId() {},
} satisfies Adapter;

/**
 * Keeps the package's models in PostgreSQL. The package's browser session is not kept: consent is asked every
 * time, and who is signed in is known by our own session.
 */
export function createProviderAdapter(options: AdapterOptions): (model: string) => Adapter {
  const adapters: Readonly<Record<string, Adapter>> = {
    Client: clientAdapter(options),
    Interaction: interactionAdapter(options),
    Grant: grantAdapter(options),
    AuthorizationCode: codeAdapter(options),
    RefreshToken: refreshTokenAdapter(options),
  };
  return (model) => adapters[model] ?? unused;
}

function clientAdapter({ em, clock, findClient }: AdapterOptions): Adapter {
  return {
    ...unused,
    upsert: (id, payload) => insertClient(em, id, payload, clock.now()),
    find: async (id) => keptClient(id) ?? findClient(id),
  };
}

/** `jti` is the request's uid, which is in `returnTo` too: both are made anew, since the uid is never stored. */
function interactionAdapter({ em, clock, config }: AdapterOptions): Adapter {
  return {
    ...unused,
    async upsert(uid, payload, lifetimeSeconds) {
      const { jti: _uid, returnTo: _returnTo, ...kept } = payload;
      const text = JSON.stringify(kept);
      // The decision never brings back a request that has ended.
      if (payload.result === undefined) await insertInteraction(em, uid, text, endOf(clock, lifetimeSeconds));
      else if (!(await updateInteraction(em, uid, text))) throw endedInteraction();
    },
    async find(uid) {
      const payload = await findInteraction(em, uid, clock.now());
      if (payload === undefined) return undefined;
      const returnTo = `${config.baseUrl}${authorizePath}/${uid}`;
      return { ...parsePayload(payload), jti: uid, returnTo };
    },
    // The package ends a request just before it makes the code: one decision, one code.
    async destroy(uid) {
      const isFirst = await deleteInteraction(em, uid);
      if (!isFirst) throw endedInteraction();
    },
  };
}

function endedInteraction(): Error {
  return new errors.SessionNotFound('the browser went on with a parallel request');
}

/** Grants are made by the consent page, not by the package; the package ends one when a token is used again. */
function grantAdapter({ em, clock, config }: AdapterOptions): Adapter {
  return {
    ...unused,
    async find(id) {
      const now = clock.now();
      const grant = keptGrant(id, now) ?? (await findGrant(em, id, now));
      return grant && grantPayload(grant, apiRootOf(config.baseUrl));
    },
    async destroy(id) {
      const req = Provider.ctx?.req;
      if (req === undefined) throw new Error('the package ended a grant outside of a request');
      await endReusedGrant(
        openSession({ em, clock }, requestOrigin(req, config.trustedProxyHops, 'app')),
        id,
      );
    },
  };
}

function grantPayload(grant: GrantOfToken, resource: string) {
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
    ...tokenAdapter(options, 'authorization_code'),
    async upsert(value, payload, lifetimeSeconds) {
      if (!(await insertCode(em, newToken(clock, value, payload, lifetimeSeconds))))
        throw new errors.InvalidGrant('the grant was revoked meanwhile');
    },
    async consume(value) {
      const isFirst = await consumeToken(em, value, clock.now());
      if (!isFirst) throw new errors.InvalidGrant('consumed by a parallel request');
    },
  };
}

function refreshTokenAdapter(options: AdapterOptions): Adapter {
  const { em, clock, config } = options;
  const { grantTtlSeconds, refreshReuseGraceSeconds } = config;
  return {
    ...unused,
    ...tokenAdapter(options, 'refresh_token'),
    async upsert(value, payload, lifetimeSeconds) {
      const rotated = rotatedToken();
      const isStored = await issueRefreshToken(em, newToken(clock, value, payload, lifetimeSeconds), {
        at: clock.now(),
        grantTtlSeconds,
        // Within the grace parallel refreshes of one client all succeed; without it one does.
        rotates:
          rotated === undefined ? undefined : { value: rotated, maybeConsumed: refreshReuseGraceSeconds > 0 },
      });
      if (!isStored)
        throw new errors.InvalidGrant('consumed by a parallel request, or the grant was revoked meanwhile');
    },
    async consume(value) {
      noteRotation(value);
    },
  };
}

function newToken(
  clock: Clock,
  value: string,
  payload: AdapterPayload,
  lifetimeSeconds: number | undefined,
): NewToken {
  const { jti: _value, ...kept } = payload;
  return {
    value,
    grantId: String(payload.grantId),
    payload: JSON.stringify(kept),
    expiresAt: endOf(clock, lifetimeSeconds),
  };
}

/** `jti` of a code or refresh token is its value, which is never stored. */
function tokenAdapter(
  { em, clock, config }: AdapterOptions,
  kind: OAuthTokenKind,
): Pick<Adapter, 'find' | 'destroy'> {
  const graceMilliseconds = kind === 'refresh_token' ? config.refreshReuseGraceSeconds * 1_000 : 0;
  return {
    async find(value) {
      const now = clock.now();
      const asked = { kind, value };
      const { stored } = keptToken(asked) ?? { stored: await findToken(em, asked, now) };
      if (stored === undefined) return undefined;
      const { consumedAt, hasSuccessor } = stored;
      const elapsed = consumedAt === null ? 0 : now.getTime() - consumedAt.getTime();
      // A replica whose clock is behind sees what was consumed just now in its future: no grace for that either.
      const isInGrace = graceMilliseconds > 0 && elapsed < graceMilliseconds;
      // While the first use is under way another one is refused later on; reported, it would end the grant under the
      // first one, and none of several parallel uses would succeed.
      const isReuse = consumedAt !== null && hasSuccessor && !isInGrace;
      const consumed = isReuse ? { consumed: epochSeconds(consumedAt) } : {};
      return { ...parsePayload(stored.payload), ...consumed, jti: value };
    },
    destroy: (value) => deleteToken(em, value),
  };
}

function endOf(clock: Clock, lifetimeSeconds: number | undefined): Date {
  if (lifetimeSeconds === undefined) throw new Error('the package stores a record without an end');
  return new Date(clock.now().getTime() + lifetimeSeconds * 1_000);
}

function parsePayload(payload: string): AdapterPayload {
  return JSON.parse(payload);
}

function epochSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1_000);
}
