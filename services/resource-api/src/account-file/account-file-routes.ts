import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { string } from 'yup';
import type { ImportLine, OpenedImport } from '#shared/app/import-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { markStreamOpen } from '#shared/http/open-stream.ts';
import { toAppError, toProblem } from '#shared/http/problem.ts';
import { requestIdOf } from '#shared/http/response-headers.ts';
import { closedObject, integer } from '#shared/validation/fields.ts';
import { requireLiveSession } from '../auth/live-session.ts';
import type { Principal } from '../auth/principal.ts';
import type { MountableRoute, Route, StreamRoute, StreamTarget } from '../http/route.ts';
import { writeStoreOf } from '../http/route.ts';
import { type AccountExport, exportAccount } from './export-account.ts';
import { importAccount, importRuns, requireEmptyAccount, uploadGone } from './import-account.ts';
import { addPart, closeImport, openImport, readParts, startImport } from './import-repository.ts';

const tag = 'Web app';
const partBytes = 1024 * 1024;
const mostParts = 1_024;
/** Base64 of `partBytes`. */
const partLength = Math.ceil(partBytes / 3) * 4;

const exportRoute: StreamRoute = {
  operation: {
    operationId: 'exportAccount',
    method: 'get',
    path: '/export',
    tag,
    summary: 'A file of everything in the account',
    scope: 'read',
    success: { status: 200, description: 'The file.' },
  },
  async stream({ database, clock, withinTransferLimit }, principal, _request, target) {
    const now = clock.now();
    const profile = await requirePermit(database, principal, now);
    const { account, credentialId } = principal;
    const requireAccess = () => requireLiveSession(database, credentialId, clock.now());
    await withinTransferLimit(account.id, () =>
      exportAccount(database, account.id, { profile, now }, ({ counts, pieces }) =>
        sendFile(target, { counts, pieces: whileAllowed(pieces, requireAccess) }, now),
      ),
    );
  },
};

/** Asking for a file takes a fresh sign-in, which auth-server has seen. Throws insufficient_scope. */
async function requirePermit(
  db: Queryable,
  { account, credentialId }: Principal,
  now: Date,
): Promise<unknown> {
  const { rows } = await db.query<{ profile: unknown }>({
    text: `select profile from auth.export_permit_access
      where session_id = $1 and account_id = $2 and expires_at > $3`,
    values: [credentialId, account.id, now],
  });
  if (rows[0] !== undefined) return rows[0].profile;
  throw new AppError('insufficient_scope', { message: 'Ask for the export in the settings first.' });
}

/** A file can take minutes: it ends with the session that asked for it. */
async function* whileAllowed(
  pieces: AsyncIterable<string>,
  requireAccess: () => Promise<void>,
): AsyncGenerator<string> {
  for await (const piece of pieces) {
    yield piece;
    await requireAccess();
  }
}

async function sendFile(
  { req, res }: StreamTarget,
  { counts, pieces }: AccountExport,
  now: Date,
): Promise<void> {
  markStreamOpen(res);
  res.status(200).set({
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="tasks-${now.toISOString().slice(0, 10)}.json"`,
    'Record-Count': String(counts.areas + counts.projects + counts.tasks),
    Vary: 'Accept-Encoding',
  });
  const source = Readable.from(pieces);
  if (req.method === 'HEAD') return void res.end();
  if (req.acceptsEncodings('gzip') !== 'gzip') return pipeline(source, res);
  res.setHeader('Content-Encoding', 'gzip');
  return pipeline(source, createGzip({ level: 4 }), res);
}

const openRoute: Route = {
  operation: {
    operationId: 'openImport',
    method: 'post',
    path: '/imports',
    tag,
    summary: 'Begin to upload a file into the empty account',
    scope: 'write',
    success: { status: 201, description: 'The id of the upload.' },
  },
  async execute({ accountShare, database, clock }, { account }) {
    const db = accountShare.statementsOf(account.id, database);
    await requireEmptyAccount(db, account.id);
    const id = await openImport(db, account.id, clock.now());
    if (id === undefined) throw importRuns();
    return { id, partBytes } satisfies OpenedImport;
  },
};

const partBody = closedObject({
  number: integer(0, mostParts - 1).defined(),
  content: string()
    .matches(/^[A-Za-z0-9+/]+={0,2}$/, 'content must be base64')
    .max(partLength, 'content must have at most 1 MiB')
    .defined(),
});

const partRoute: Route = {
  operation: {
    operationId: 'addImportPart',
    method: 'post',
    path: '/imports/{id}/parts',
    tag,
    summary: 'Upload the next part of the file',
    scope: 'write',
    body: partBody,
    success: { status: 204, description: 'The part is kept.' },
  },
  async execute({ accountShare, config, database }, { account }, { params, body }) {
    const db = accountShare.statementsOf(account.id, database);
    const { number, content } = partBody.cast(body);
    const key = { accountId: account.id, importId: params.id ?? '' };
    const part = { number, content: Buffer.from(content, 'base64') };
    if (!(await addPart(db, key, part, config.accountStorageBytes))) throw uploadGone();
  },
};

const runRoute: StreamRoute = {
  operation: {
    operationId: 'runImport',
    method: 'post',
    path: '/imports/{id}/run',
    tag,
    summary: 'Import the uploaded file, all of it or nothing',
    scope: 'write',
    success: { status: 200, description: 'A line of JSON for each second, then the result.' },
  },
  async stream(context, principal, { params }, { res }) {
    const { database, clock, notes, withinTransferLimit } = context;
    const key = { accountId: principal.account.id, importId: params.id ?? '' };
    const closed = new AbortController();
    res.once('close', () => closed.abort());
    await withinTransferLimit(key.accountId, async () => {
      closed.signal.throwIfAborted();
      if (!(await startImport(database, key, clock.now()))) throw uploadGone();
      markStreamOpen(res);
      res.status(200).type('application/x-ndjson');
      const writeLine = (line: ImportLine): void => void res.write(`${JSON.stringify(line)}\n`);
      try {
        const counts = await importAccount({
          store: writeStoreOf(context),
          notes,
          principal,
          importId: key.importId,
          chunks: readParts(database, key),
          onProgress: oncePerSecond(writeLine),
          requireAccess: (db) => requireLiveSession(db, principal.credentialId, clock.now()),
          signal: closed.signal,
        });
        writeLine({ phase: 'done', counts });
      } catch (error) {
        if (!(error instanceof AppError) && !closed.signal.aborted)
          context.logger.error({ err: error }, 'an import failed');
        writeLine({ phase: 'refused', problem: toProblem(toAppError(error), requestIdOf(res)) });
      } finally {
        await closeImport(database, key);
        res.end();
      }
    });
  },
};

function oncePerSecond<Line>(write: (line: Line) => void): (line: Line) => void {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return (line) => {
    if (performance.now() - writtenAt < 1_000) return;
    writtenAt = performance.now();
    write(line);
  };
}

/** They serve Settings → Data. */
export const accountFileRoutes: readonly MountableRoute[] = [exportRoute, openRoute, partRoute, runRoute];
