import type { UndoResponse } from '#shared/app/app-protocol.ts';
import { seededRandom } from '#tests/api/sync/random-writer.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import type { Stack } from '#tests/support/stack.ts';
import { tryChange } from './random-change.ts';
import { differences, readStoredRows, type StoredRows } from './stored-rows.ts';
import type { WebAppClient, WebApps } from './web-app-client.ts';

/** So many changes are one call: they are also taken back together. */
const changesPerCall = 6;

/**
 * Makes so many random changes in a new account, takes each back at once and does it again, and the same with each call.
 * Throws an Error where what is stored then differs from what was before.
 */
export async function runUndoHistory(
  stack: Stack,
  webApps: WebApps,
  seed: number,
  length: number,
): Promise<void> {
  const random = seededRandom(seed);
  const client = await webApps.open({ plan: 'premium' });
  const { accountId } = client.account;
  const read = () => readStoredRows(stack.sql, accountId);
  const log: string[] = [];

  async function undo(
    stamps: readonly string[],
    wanted: StoredRows,
    mayTrashNew: boolean,
  ): Promise<string[]> {
    const { status, body } = await client.app.post<UndoResponse>('/undo', { stamps });
    const found = status === 200 ? differences(wanted, await read(), mayTrashNew) : [JSON.stringify(body)];
    if (found.length === 0 && body.kept.length === 0) return body.stamps;
    throw new Error([`seed ${seed}`, ...log, ...found, JSON.stringify(body.kept)].join('\n'));
  }
  const undoAndRedo = async (stamps: readonly string[], before: StoredRows, after: StoredRows) =>
    undo(await undo(stamps, before, true), after, false);

  for (let left = 3; left > 0; left -= 1) await addSomething(client);
  let rows = await read();
  let call = { before: rows, stamps: [] as string[] };
  let changeCount = 0;
  while (changeCount < length) {
    await tryChange(client, rows, random);
    const stamp = await newestStamp(stack, accountId);
    const after = await read();
    const changed = differences(rows, after, false);
    if (changed.length === 0) continue;
    changeCount += 1;
    log.push(`${stamp}: ${changed.join('; ')}`);
    await undoAndRedo([stamp], rows, after);
    call.stamps.push(stamp);
    rows = await read();
    if (call.stamps.length < changesPerCall) continue;
    log.push('the call');
    await undoAndRedo(call.stamps, call.before, rows);
    rows = await read();
    call = { before: rows, stamps: [] };
  }
}

async function addSomething(client: WebAppClient): Promise<void> {
  const project = await makeProject(client, { areaId: (await makeArea(client)).id });
  const section = await makeSection(client, project.id);
  await makeTask(client, { sectionId: section.id });
  await makeTask(client, { dueDate: '2026-11-20', recurrence: { frequency: 'daily' } });
}

async function newestStamp({ sql }: Stack, accountId: string): Promise<string> {
  const [newest] = await sql<{ stamp: string }>`
    select to_char(last_changed_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as stamp from tasks.account_feed
    where account_id = ${accountId}`;
  return newest?.stamp ?? '';
}
