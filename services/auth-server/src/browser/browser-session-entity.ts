import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const BrowserSessionEntity = defineEntity({
  name: 'BrowserSession',
  tableName: 'browser_session',
  schema: 'auth',
  properties: {
    id: p.uuid().primary(),
    /** Hash of the secret in the browser's cookie. */
    secretHash: p.blob(),
    accountId: p.uuid(),
    /** Address of the last request. */
    address: p.text(),
    userAgent: p.text(),
    createdAt: p.datetime(3),
    /** Time of the last reauthentication; null: none since the sign-in. */
    confirmedAt: p.datetime(3).nullable(),
    lastSeenAt: p.datetime(3),
    /** Extended by each visit. */
    expiresAt: p.datetime(3),
  },
});

export type BrowserSession = InferEntity<typeof BrowserSessionEntity>;
