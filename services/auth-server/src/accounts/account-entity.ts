import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { Plan } from '#shared/plans.ts';

export const accountStatuses = ['active', 'suspended'] as const;

export const AccountEntity = defineEntity({
  name: 'Account',
  tableName: 'account',
  schema: 'auth',
  properties: {
    id: p.uuid().primary(),
    /** As it was given; addresses are compared by `emailFolded`. */
    email: p.text(),
    emailFolded: p.text(),
    passwordHash: p.text(),
    /** Counts the password's changes: access tokens exchanged under an earlier one are refused. */
    credentialVersion: p.integer().default(1),
    plan: p.text().$type<Plan>(),
    timezone: p.text(),
    status: p.text().$type<(typeof accountStatuses)[number]>(),
    /** Set by the operator: no sign-in and no token of any kind, whatever the status. */
    lockedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Account = InferEntity<typeof AccountEntity>;
