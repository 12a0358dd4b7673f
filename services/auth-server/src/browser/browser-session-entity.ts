import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

export const BrowserSessionEntity = defineEntity({
  name: 'BrowserSession',
  tableName: 'browser_session',
  schema: 'auth',
  properties: {
    id: p.uuid().primary(),
    /** Of the secret in the browser's cookie, which is stored nowhere else. */
    secretHash: p.blob(),
    accountId: p.uuid(),
    /** Where it was last seen. */
    address: p.text(),
    userAgent: p.text(),
    createdAt: p.datetime(3),
    /** When its user last proved again who they are; null: at the sign-in alone. */
    confirmedAt: p.datetime(3).nullable(),
    lastSeenAt: p.datetime(3),
    /** Each visit moves it. */
    expiresAt: p.datetime(3),
  },
});

export type BrowserSession = InferEntity<typeof BrowserSessionEntity>;
