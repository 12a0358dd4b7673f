import type { ExecutionContext } from 'ava';
import { type LocalStart, type LocalStartOptions, startLocally } from './local-start.ts';

export type ShownAccount = { email: string; password: string; token: string };

export type FirstStart = LocalStart & { account: ShownAccount };

/** The account that a start's output shows with its secrets. */
export function accountIn(output: string): ShownAccount | undefined {
  const pattern = /^ +E-mail +(\S+)\n +Password +(\S+)\n +API token +(\S+)$/m;
  const [, email, password, token] = pattern.exec(output) ?? [];
  return email && password && token ? { email, password, token } : undefined;
}

export function accountOf(start: LocalStart): ShownAccount {
  const account = accountIn(start.output());
  if (!account) throw new Error(`no account was shown:\n${start.output()}`);
  return account;
}

/** A start in a new directory, with the account it makes. */
export async function firstStart(t: ExecutionContext, options: LocalStartOptions): Promise<FirstStart> {
  const start = await startLocally(t, options);
  const [notice] = await start.waitForOutput(/An account was made for you[\s\S]*curl .*\n/);
  t.true(notice.includes('only this once'));
  return { ...start, account: accountOf(start) };
}
