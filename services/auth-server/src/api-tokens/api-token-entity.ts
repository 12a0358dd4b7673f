import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { isScope, type Scope } from '#shared/scopes.ts';

export const ApiTokenEntity = defineEntity({
  name: 'ApiToken',
  tableName: 'api_token',
  schema: 'auth',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid(),
    name: p.text(),
    scopes: p.array<Scope>(toScope),
    tokenHash: p.blob(),
    lastFour: p.text(),
    expiresAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
  },
});

export type ApiToken = InferEntity<typeof ApiTokenEntity>;

function toScope(text: string): Scope {
  if (isScope(text)) return text;
  throw new Error('an api token has a scope that does not exist');
}
