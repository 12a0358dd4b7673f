import type { Scope } from '#shared/scopes.ts';

export type Plan = 'free' | 'premium';

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
