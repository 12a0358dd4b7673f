import { deviceStorage } from './device-storage.ts';
import { deleteIndexedDisk, openIndexedDisk } from './indexed-disk.ts';

type KnownAccount = { id: string; usedAt: number };

const knownName = 'tasks-accounts';
const keptMilliseconds = 30 * 86_400_000;

export function noteAccount(id: string): void {
  const others = knownAccounts().filter((known) => known.id !== id);
  deviceStorage.setItem(knownName, JSON.stringify([...others, { id, usedAt: Date.now() }]));
}

/** Of accounts that used this browser before, rows are deleted and unsent changes kept for 30 days. */
export async function clearOtherAccounts(present: string): Promise<void> {
  const kept: KnownAccount[] = [];
  for (const known of knownAccounts()) {
    if (known.id === present || (await hasUnsent(known))) kept.push(known);
    else await deleteIndexedDisk(known.id);
  }
  deviceStorage.setItem(knownName, JSON.stringify(kept));
}

async function hasUnsent({ id, usedAt }: KnownAccount): Promise<boolean> {
  if (Date.now() - usedAt > keptMilliseconds) return false;
  const disk = await openIndexedDisk(id);
  await disk.clearRows();
  const records = await disk.records();
  disk.close();
  return records.length > 0;
}

function knownAccounts(): KnownAccount[] {
  const known: KnownAccount[] = JSON.parse(deviceStorage.getItem(knownName) ?? '[]');
  return known;
}
