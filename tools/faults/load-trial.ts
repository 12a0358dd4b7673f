import { waitFor } from '#tests/support/wait-for.ts';
import { checkAcknowledged, type Findings } from './check-acknowledged.ts';
import type { Cluster } from './cluster.ts';
import { type Load, type LoadOptions, type RequestRecord, startLoad, tokenRequests } from './load.ts';
import { createLoadAccounts } from './load-accounts.ts';
import { describeFindings, findingMisses, isSuccess } from './load-figures.ts';
import { readStoredAccounts } from './stored-state.ts';
import type { WriteRecord } from './write-history.ts';

export type TrialShape = Omit<LoadOptions, 'urls' | 'accounts'>;

export type TrialResult = {
  requests: readonly RequestRecord[];
  writes: readonly WriteRecord[];
  findings: Findings;
};

const accountCount = 4;
const warmUpRequests = 200;

/**
 * Runs `work` while clients write and read, and compares afterwards what they were told with what is stored.
 * Throws an Error when the load can't be brought up.
 */
export async function runUnderLoad(
  cluster: Cluster,
  shape: TrialShape,
  work: (load: Load) => Promise<void>,
): Promise<TrialResult> {
  const accounts = await cluster.database.query((sql) =>
    createLoadAccounts(sql, { accounts: accountCount, requests: tokenRequests(shape) }),
  );
  const load = startLoad({ ...shape, urls: cluster.apiUrls, accounts });
  try {
    await waitFor(() => load.requests.filter(isSuccess).length >= warmUpRequests, {
      timeoutMilliseconds: 30_000,
      what: 'the load to come up',
    });
    await work(load);
  } finally {
    await load.stop();
  }
  const ids = accounts.map(({ accountId }) => accountId);
  const stored = await cluster.database.query((sql) => readStoredAccounts(sql, ids));
  return {
    requests: load.requests,
    writes: load.writes,
    findings: checkAcknowledged(load.writes, stored),
  };
}

/** What every trial under load tells of its writes. */
export function writeFigures({ writes, findings }: TrialResult): Record<string, number> {
  const count = (wanted: WriteRecord['outcome']) => writes.filter(({ outcome }) => outcome === wanted).length;
  return {
    acknowledgedWrites: count('acknowledged'),
    unknownWrites: count('unknown'),
    refusedWrites: count('refused'),
    lost: findings.lost.length,
    halfWritten: findings.halfWritten.length,
    gaps: findings.gaps.length,
    duplicates: findings.duplicates.length,
  };
}

export function lossOf({ findings }: TrialResult): { lost: string; misses: string[] } {
  return { lost: describeFindings(findings), misses: findingMisses(findings) };
}
