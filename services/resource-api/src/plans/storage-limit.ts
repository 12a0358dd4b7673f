import type { Queryable } from '#shared/database/database.ts';
import { AppError } from '#shared/errors/app-error.ts';

const megabyteBytes = 1_024 * 1_024;

/** More than a single write adds: below the limit by more than this, an account is not measured. */
const largestWriteBytes = 32 * megabyteBytes;
/** Bytes per row above the limit, so that a full account can still complete, move and delete. */
const allowanceBytesPerRow = 700;
/** Of all these bytes, as a share of the limit. */
const maximumAllowance = 0.05;

/** Of an account's feed: the bytes of its rows, and 150 of each entry, as auth-server shows them. */
export const storedBytesOfFeed = 'stored_bytes + 150 * last_sequence';

type StorageUse = {
  accountId: string;
  /** At the start of the write. */
  storedBytes: number;
  /** Undefined: no limit. */
  limitBytes: number | undefined;
  refused: (() => void) | undefined;
};

/**
 * Runs the work of a write, and throws storage_limit_reached if it exceeds the limit or exceeds it further. A
 * write that frees space is never refused.
 */
export async function runWithinStorage<Result>(
  db: Queryable,
  { accountId, storedBytes, limitBytes, refused }: StorageUse,
  work: () => Promise<Result>,
  changedRows: () => number,
): Promise<Result> {
  if (limitBytes === undefined || storedBytes + largestWriteBytes < limitBytes) return await work();
  const before = await readStoredBytes(db, accountId);
  const result = await work();
  const after = await readStoredBytes(db, accountId);
  const isWithinAllowance = after - before <= allowanceBytesPerRow * changedRows();
  const allowedBytes = isWithinAllowance ? limitBytes * (1 + maximumAllowance) : limitBytes;
  if (after <= Math.max(before, allowedBytes)) return result;
  refused?.();
  throw storageLimitReached(limitBytes);
}

/** For writes of any size. Throws storage_limit_reached. */
export async function requireWithinStorage(
  db: Queryable,
  accountId: string,
  limitBytes: number | undefined,
): Promise<void> {
  if (limitBytes === undefined || (await readStoredBytes(db, accountId)) <= limitBytes) return;
  throw storageLimitReached(limitBytes);
}

export function storageLimitReached(limitBytes: number): AppError {
  return new AppError('storage_limit_reached', {
    message:
      `The account is full: it may store ${limitBytes / megabyteBytes} MB. ` +
      'Shorten notes, and try again.',
  });
}

async function readStoredBytes(db: Queryable, accountId: string): Promise<number> {
  const { rows } = await db.query<{ storedBytes: number }>({
    name: 'read-stored-bytes',
    text: `select ${storedBytesOfFeed} as "storedBytes" from tasks.account_feed where account_id = $1`,
    values: [accountId],
  });
  return rows[0]?.storedBytes ?? 0;
}
