import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportProgress } from '#shared/app/import-protocol.ts';
import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { systemClock } from '#shared/time/clock.ts';
import { exportAccount } from '../account-file/export-account.ts';
import type { FileCounts } from '../account-file/file-format.ts';
import { importAccount, importRuns } from '../account-file/import-account.ts';
import { closeImport, openImport, startImport } from '../account-file/import-repository.ts';
import { operatorFor } from '../auth/principal.ts';
import { readNotesLimits } from '../config/config.ts';
import { createNotesRenderer } from '../notes/notes-renderer.ts';
import { requireAccount, withDatabase } from './with-database.ts';

/** Statements of an account with a million tasks, on a machine that has other work. */
const waitMilliseconds = 60_000;

/** Writes an account's file. `profile`: what auth-server knows of it. Throws not_found and invalid_state. */
export function writeAccountFile(
  databaseUrl: string,
  { accountId, profile }: { accountId: string; profile: unknown },
  output: Writable,
): Promise<void> {
  return withDatabase(databaseUrl, waitMilliseconds, async (database) => {
    await requireAccount(database, accountId);
    await exportAccount(database, accountId, { profile, now: systemClock.now() }, ({ pieces }) =>
      pipeline(Readable.from(pieces), output, { end: false }),
    );
  });
}

/** Stores all of a file in the empty account, or nothing. Throws what importAccount throws, and not_found. */
export function readAccountFileInto(
  {
    databaseUrl,
    environment,
    signal,
  }: { databaseUrl: string; environment: Environment; signal: AbortSignal },
  accountId: string,
  chunks: AsyncIterable<Uint8Array>,
  onProgress: (progress: ImportProgress) => void,
): Promise<{ accountId: string } & FileCounts> {
  return withDatabase(databaseUrl, waitMilliseconds, async (database, store) => {
    const principal = operatorFor(await requireAccount(database, accountId));
    const importId = await openImport(database, accountId, systemClock.now());
    if (importId === undefined) throw importRuns();
    const key = { accountId, importId };
    await startImport(database, key, systemClock.now());
    const reader = createEnvReader(environment);
    const notes = createNotesRenderer(readNotesLimits(reader));
    try {
      reader.finish();
      return {
        accountId,
        ...(await importAccount({ store, notes, principal, importId, chunks, onProgress, signal })),
      };
    } finally {
      await notes.close();
      await closeImport(database, key);
    }
  });
}
