import test from 'ava';
import type {
  AppActor,
  AppChanges,
  AppEntity,
  AppRows,
  AppRowsResponse,
  AppSnapshot,
  AppTask,
} from '#shared/app/app-protocol.ts';
import type { Problem } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { pickFrom, seededRandom, tryChange } from './random-change.ts';
import { readStoredRows } from './stored-rows.ts';
import { appClientOf, startWebApps, type WebAppClient } from './web-app-client.ts';

const lists = { task: 'tasks', project: 'projects', section: 'sections', area: 'areas' } as const;

/** What a client holds that reads a snapshot once and changes from then on. */
async function startCopy({ app }: Pick<WebAppClient, 'app'>) {
  const { body: snapshot } = await app.get<AppSnapshot>('/snapshot');
  const rows = new Map<string, { entity: AppEntity; row: AppRows[keyof AppRows][number] }>();
  const keep = (upserts: AppRows) => {
    for (const [entity, list] of Object.entries(lists))
      for (const row of upserts[list]) rows.set(row.id, { entity: entity as AppEntity, row });
  };
  keep(snapshot);
  let { seq, stamp, closedTaskCounts } = snapshot;
  return {
    async catchUp(limit = 1_000): Promise<void> {
      for (let more = true; more; ) {
        const query = `after=${seq}&limit=${limit}${stamp === null ? '' : `&stamp=${stamp}`}`;
        const { body } = await app.get<AppChanges>(`/changes?${query}`);
        if (body.reset) throw new Error(`reset after ${seq}`);
        keep(body.upserts);
        for (const { id } of body.gone) rows.delete(id);
        ({ seq, stamp, more } = body);
        closedTaskCounts = body.closedTaskCounts ?? closedTaskCounts;
      }
    },
    /** As a snapshot shows it: nothing from the Trash. */
    shown() {
      const outsideTrash = [...rows.values()].filter(({ row }) => !('inTrash' in row && row.inTrash));
      return { seq, stamp, closedTaskCounts, rows: sorted(outsideTrash) };
    },
  };
}

function shownIn(snapshot: AppSnapshot) {
  const { seq, stamp, closedTaskCounts } = snapshot;
  const rows = Object.entries(lists).flatMap(([entity, list]) =>
    snapshot[list].map((row) => ({ entity: entity as AppEntity, row })),
  );
  return { seq, stamp, closedTaskCounts, rows: sorted(rows) };
}

function sorted<Entry extends { row: { id: string } }>(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((one, other) => (one.row.id < other.row.id ? -1 : 1));
}

const { stack, webApps } = await startWebApps(test, startStack(undefined));

const snapshotOf = async ({ app }: WebAppClient) => (await app.get<AppSnapshot>('/snapshot')).body;

test('after any changes, a copy that follows them is what a new snapshot shows (seeded)', async (t) => {
  const client = await webApps.open({ plan: 'premium' });
  const random = seededRandom(11);
  const early = await startCopy(client);
  const { accountId } = client.account;
  const change = async (count: number) => {
    for (let left = count; left > 0; left -= 1)
      await tryChange(client, pickFrom(await readStoredRows(stack.sql, accountId), random), random);
  };
  await change(60);
  const late = await startCopy(client);
  await change(60);
  await early.catchUp(7);
  await late.catchUp();
  const wanted = shownIn(await snapshotOf(client));
  t.true(wanted.seq > 20, 'most changes were accepted');
  t.deepEqual(early.shown(), wanted);
  t.deepEqual(late.shown(), wanted);
});
test('a row tells what lists show of its texts, and rows have the texts', async (t) => {
  const client = await webApps.open();
  const checklist = [{ title: 'one', completed: true }, { title: 'two' }];
  const task = await makeTask(client, { title: 'Call', description: '**now**', checklist });
  const project = await makeProject(client, { description: 'x'.repeat(9_000) });
  const { tasks, projects, account } = await snapshotOf(client);
  t.like(tasks[0], { id: task.id, hasNotes: true, checklistTotal: 2, checklistDone: 1 });
  t.like(projects[0], { description: null, descriptionHtml: '', hasLongNotes: true });
  t.deepEqual(Object.keys(account).toSorted(), ['id', 'plan', 'status', 'timezone']);
  const ids = [task.id, project.id, '00000000-0000-4000-8000-000000000000'];
  const { body } = await client.app.post<AppRowsResponse>('/rows', { ids });
  t.like(body.tasks[0], { description: '**now**', descriptionHtml: '<p><strong>now</strong></p>' });
  t.is(body.tasks[0]?.checklist.length, 2);
  t.is(body.projects[0]?.description?.length, 9_000);
  t.deepEqual(body.notSent, []);
});

test('rows whose texts exceed a response are asked for again', async (t) => {
  const client = await webApps.open();
  const description = 'é'.repeat(100_000);
  const made = [];
  for (let left = 7; left > 0; left -= 1) made.push(await makeTask(client, { description }));
  let ids = made.map(({ id }) => id);
  const received: string[] = [];
  while (ids.length > 0) {
    const { body } = await client.app.post<AppRowsResponse>('/rows', { ids });
    t.true(body.tasks.length > 0);
    received.push(...body.tasks.map(({ id }) => id));
    ids = body.notSent;
  }
  t.deepEqual(received.toSorted(), made.map(({ id }) => id).toSorted());
});

test('changes name who made the newest change of each row', async (t) => {
  const client = await webApps.open();
  const token = await stack.createToken(client.account, { name: 'Script' });
  const [byToken, byBrowser] = [await makeTask(stack.client(token)), await makeTask(client)];
  await client.patch(`/tasks/${byBrowser.id}`, { title: 'Mine' });
  const { body } = await client.app.get<AppChanges>('/changes?after=0');
  if (body.reset) return t.fail();
  const actorOf = (id: string): AppActor | undefined => body.actors.find((entry) => entry.id === id)?.actor;
  t.deepEqual(actorOf(byToken.id), { kind: 'token', id: token.tokenId, name: 'Script' });
  t.like(actorOf(byBrowser.id), { kind: 'browser', id: client.sessionId });
});

test('a client that holds what the database does not is told to read everything anew', async (t) => {
  const client = await webApps.open();
  await makeTask(client);
  const { seq, stamp } = await snapshotOf(client);
  const ask = async (query: string) => (await client.app.get<AppChanges>(`/changes?${query}`)).body;
  t.like(await ask(`after=${seq}&stamp=${stamp}`), { reset: false, seq, stamp, more: false });
  // As after a restore, when the number was used again for another change.
  t.deepEqual(await ask(`after=${seq}&stamp=2026-01-01T00:00:00.000Z`), { reset: true });
  t.deepEqual(await ask(`after=${seq}`), { reset: true });
  t.deepEqual(await ask(`after=${seq + 1}&stamp=${stamp}`), { reset: true });
  const { accountId } = client.account;
  await makeTask(client);
  await stack.sql`delete from tasks.feed_entry where account_id = ${accountId} and sequence <= ${seq}`;
  t.deepEqual(await ask(`after=${seq}&stamp=${stamp}`), { reset: true });
  t.deepEqual(await ask('after=0'), { reset: true });
});

test('nothing of another account is shown', async (t) => {
  const [client, other] = [await webApps.open(), await webApps.open()];
  const { id } = await makeTask(other);
  t.deepEqual((await snapshotOf(client)).tasks, []);
  t.deepEqual((await client.app.post<AppRowsResponse>('/rows', { ids: [id] })).body.tasks, []);
  const { body } = await client.app.get<AppChanges>('/changes?after=0');
  t.like(body, { reset: false, upserts: { tasks: [] as AppTask[] } });
});

test('other clients are refused, pages of other origins too, and bad input is named', async (t) => {
  const api = await stack.newClient();
  const { status } = await appClientOf(stack, api.token.secret).get('/snapshot');
  t.is(status, 403);
  const client = await webApps.open();
  const answer = await client.app.get('/snapshot', { headers: { Origin: 'https://other.example' } });
  t.is(answer.headers.get('access-control-allow-origin'), null);
  const bad: [Promise<{ status: number; body: Problem }>, string][] = [
    [client.app.get<Problem>('/changes'), 'after'],
    [client.app.get<Problem>('/changes?after=-1'), 'after'],
    [client.app.get<Problem>('/changes?after=0&limit=1001'), 'limit'],
    [client.app.get<Problem>('/changes?after=1&stamp=yesterday'), 'stamp'],
    [client.app.post<Problem>('/rows', { ids: ['x'] }), 'ids'],
    [client.app.post<Problem>('/rows', { ids: Array(201).fill(api.account.accountId) }), 'ids'],
  ];
  for (const [request, name] of bad) {
    const { status: badStatus, body } = await request;
    t.is(badStatus, 400, name);
    t.deepEqual(Object.keys(body.errors ?? {}), [name]);
  }
  t.is((await client.app.post('/snapshot')).status, 405);
});
