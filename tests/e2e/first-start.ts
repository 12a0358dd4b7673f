import {
  type LocalStart,
  type LocalStartOptions,
  type StartOwner,
  startLocally,
  temporaryDataDirectory,
} from './local-start.ts';

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
export async function firstStart(t: StartOwner, options: LocalStartOptions): Promise<FirstStart> {
  const start = await startLocally(t, options);
  const [notice] = await start.waitForOutput(/An account was made for you[\s\S]*curl .*\n/);
  if (!notice.includes('only this once'))
    throw new Error(`it does not say that it says this once:\n${notice}`);
  return { ...start, account: accountOf(start) };
}

/** A data directory with an account and its tasks, where nothing runs: a start there takes half the time. */
export type UsedDirectory = { dataDirectory: string; account: ShownAccount };

export async function makeUsedDirectory(owner: StartOwner): Promise<UsedDirectory> {
  const dataDirectory = temporaryDataDirectory(owner);
  const start = await firstStart(owner, { dataDirectory });
  start.process.kill('SIGTERM');
  const end = await start.ended;
  if (end !== 0) throw new Error(`it ended with ${end}`);
  return { dataDirectory, account: start.account };
}
