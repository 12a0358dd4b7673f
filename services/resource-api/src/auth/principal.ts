import type { Scope } from '#shared/scopes.ts';

export type Plan = 'free' | 'premium';

/** What the API knows of an account: auth-server owns it, this service reads it. */
export type Account = {
  id: string;
  plan: Plan;
  timezone: string;
  status: 'active' | 'suspended';
};

/** The stamp of the account's last write when none was under way: nothing had a later one. null before the first. */
export type SettledChanges = { lastChangedAt: Date | null };

/** Who calls: a personal token, or what was issued from it. Limits count by `tokenId`. */
export type Principal = {
  account: Account;
  tokenId: string;
  tokenName: string;
  scopes: readonly Scope[];
  /** Where the token was looked up after the writes of its account that were under way. */
  settledChanges?: SettledChanges;
};
