import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { AppRowsRequest } from '#shared/app/app-protocol.ts';
import {
  type MountableRoute,
  type Route,
  readRoute,
  type StreamRoute,
  type StreamTarget,
} from '../http/route.ts';
import { openSession } from '../session.ts';
import { changesQuery, rowsBody, searchQuery, trashQuery } from './app-schema.ts';
import { readChanges } from './changes.ts';
import { readFullRows } from './full-rows.ts';
import { searchRows } from './search.ts';
import { readSnapshot, type SnapshotRows, writeSnapshot } from './snapshot.ts';
import { readTrash } from './trash.ts';

const tag = 'Web app';
const mostEntries = 1_000;

const snapshotRoute: StreamRoute = {
  operation: {
    operationId: 'getSnapshot',
    method: 'get',
    path: '/snapshot',
    tag,
    summary: 'Everything that lists show',
    scope: 'read',
    success: { status: 200, description: 'An AppSnapshot.' },
  },
  async stream(context, principal, _request, target) {
    const { database, clock, readQueue, snapshotQueue, metrics } = context;
    const session = openSession(database, principal, clock);
    const { id } = session.account;
    const startedAt = performance.now();
    await snapshotQueue.run(id, async () => {
      const rows = await readQueue.run(id, () => readSnapshot(database, session));
      metrics.snapshots.read(performance.now() - startedAt);
      metrics.snapshots.sent(await sendSnapshot(target, rows));
    });
  },
};

/** Returns its bytes before compression. It holds nothing of others that compression could give away. */
async function sendSnapshot({ req, res }: StreamTarget, rows: SnapshotRows): Promise<number> {
  let bytes = 0;
  const pieces = function* () {
    for (const piece of writeSnapshot(rows)) {
      const encoded = Buffer.from(piece);
      bytes += encoded.length;
      yield encoded;
    }
  };
  res.status(200).type('json').setHeader('Vary', 'Accept-Encoding');
  const source = Readable.from(pieces());
  if (req.acceptsEncodings('gzip') === 'gzip') {
    res.setHeader('Content-Encoding', 'gzip');
    await pipeline(source, createGzip({ level: 4 }), res);
  } else await pipeline(source, res);
  return bytes;
}

const changesRoute = readRoute({
  operationId: 'getChanges',
  method: 'get',
  path: '/changes',
  tag,
  summary: 'What changed after a number of the feed',
  scope: 'read',
  query: changesQuery,
  success: { status: 200, description: 'AppChanges.' },
  async handler(session, { query: { after, stamp, limit } }, { database, metrics }) {
    const request = { after: Number(after), stamp, limit: Number(limit ?? mostEntries) };
    const { changes, entries } = await readChanges(database, session, request);
    metrics.snapshots.changesRead(entries);
    return changes;
  },
  present: (changes) => changes,
});

const rowsRoute: Route = {
  operation: {
    operationId: 'getRows',
    method: 'post',
    path: '/rows',
    tag,
    summary: 'Tasks and projects with their texts',
    scope: 'read',
    body: rowsBody,
    success: { status: 200, description: 'An AppRowsResponse.' },
  },
  execute: ({ database, clock }, principal, { body }) =>
    readFullRows(openSession(database, principal, clock), (body as AppRowsRequest).ids),
};

const searchRoute = readRoute({
  operationId: 'search',
  method: 'get',
  path: '/search',
  tag,
  summary: 'Tasks and projects by words of their titles and notes',
  scope: 'read',
  query: searchQuery,
  success: { status: 200, description: 'An AppSearchResponse.' },
  handler: (session, { query: { q } }, { readQueue }) =>
    readQueue.run(session.account.id, () => searchRows(session, q)),
  present: (found) => found,
});

const trashRoute = readRoute({
  operationId: 'getTrash',
  method: 'get',
  path: '/trash',
  tag,
  summary: 'What is in the Trash',
  scope: 'read',
  query: trashQuery,
  success: { status: 200, description: 'An AppTrashPage.' },
  handler: (session, { query: { cursor } }, { cursors }) => readTrash(session, cursors, cursor),
  present: (page) => page,
});

export const appReadRoutes: readonly MountableRoute[] = [
  snapshotRoute,
  changesRoute,
  rowsRoute,
  searchRoute,
  trashRoute,
];
