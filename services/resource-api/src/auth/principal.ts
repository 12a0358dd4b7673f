import type { Plan } from '#shared/plans.ts';
import type { Scope } from '#shared/scopes.ts';

/** What the API knows of an account: auth-server owns it, this service reads it. */
export type Account = {
  id: string;
  plan: Plan;
  timezone: string;
  status: 'active' | 'suspended';
};

/** The client: a personal token or a connected app. Limits count by `tokenId`. */
export type Principal = {
  account: Account;
  tokenId: string;
  tokenName: string;
  scopes: readonly Scope[];
};
