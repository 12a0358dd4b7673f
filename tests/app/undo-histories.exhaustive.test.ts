import test from 'ava';
import type { UndoResponse } from '#shared/app/app-protocol.ts';
import { connectAssistant } from '#tests/assistant/assistant-client.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { pickFrom, seededRandom, tryChange } from './random-change.ts';
import { tryToolCall } from './random-tool-call.ts';
import { differences, readStoredRows, type StoredRows } from './stored-rows.ts';
import { startWebApps, type WebAppClient, type WebApps } from './web-app-client.ts';

/** So many changes are also taken back together. */
const changesTogether = 6;
/** Of all changes; the others come from the app. */
const shareOfToolCalls = 0.3;

/**
 * Makes so many random changes in a new account, takes each back at once and does it again, and the same with
 * each call. Throws an Error where what is stored then differs from what was before.
 */
async function runUndoHistory(stack: Stack, webApps: WebApps, seed: number, length: number): Promise<void> {
  const random = seededRandom(seed);
  const client = await webApps.open({ plan: 'premium' });
  const { accountId } = client.account;
  const read = async () => {
    await waitFor(() => isRendered(stack, accountId), {
      timeoutMilliseconds: 90_000,
      what: 'the HTML of notes that took too long at first',
    });
    return readStoredRows(stack.sql, accountId);
  };
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

  const assistant = await connectAssistant(stack.baseUrl, (await stack.createToken(client.account)).secret);
  for (let left = 3; left > 0; left -= 1) await addSomething(client);
  let rows = await read();
  let together = { before: rows, stamps: [] as string[], changeCount: 0 };
  for (let changeCount = 0; changeCount < length; ) {
    const last = await newestStamp(stack, accountId);
    const pick = pickFrom(rows, random);
    if (random() < shareOfToolCalls) log.push(await tryToolCall(assistant, pick, random));
    else await tryChange(client, pick, random);
    const stamps = await stampsSince(stack, accountId, last);
    const after = await read();
    const changed = differences(rows, after, false);
    if (changed.length === 0) continue;
    changeCount += 1;
    log.push(`${stamps.join(', ')}: ${changed.join('; ')}`);
    await undoAndRedo(stamps, rows, after);
    together.stamps.push(...stamps);
    together.changeCount += 1;
    rows = await read();
    if (together.changeCount < changesTogether) continue;
    log.push('all of them together');
    await undoAndRedo(together.stamps, together.before, rows);
    rows = await read();
    together = { before: rows, stamps: [], changeCount: 0 };
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

async function stampsSince({ sql }: Stack, accountId: string, last: string): Promise<string[]> {
  const rows = await sql<{ stamp: string }>`
    select distinct to_char(changed_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as stamp from tasks.change_history
    where account_id = ${accountId} and changed_at > ${last}::timestamptz order by stamp`;
  return rows.map(({ stamp }) => stamp);
}

async function isRendered({ sql }: Stack, accountId: string): Promise<boolean> {
  const pending = await sql`select from tasks.task where account_id = ${accountId} and renderer_version < 0
    union all select from tasks.project where account_id = ${accountId} and renderer_version < 0`;
  return pending.length === 0;
}

const { stack, webApps } = await startWebApps(test, startStack(undefined));

const firstSeed = Number(process.env.UNDO_SEED ?? 1);
/** A change of the history deserves 2,000, which take half an hour. */
const histories = Number(process.env.UNDO_HISTORIES ?? 4);
const lanes = 4;

test('in random histories any change and any call is taken back to the byte, and done again', async (t) => {
  t.timeout(3_600_000);
  let next = firstSeed;
  const work = async () => {
    while (next < firstSeed + histories) await runUndoHistory(stack, webApps, next++, 20);
  };
  await t.notThrowsAsync(Promise.all(Array.from({ length: lanes }, work)));
});
