import { randomBytes, randomUUID } from 'node:crypto';
import test from 'ava';
import { seededRandom } from '#tests/app/random-change.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { type OwnStack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { words } from '#tests/support/words.ts';
import { openPushService } from './push-service.ts';
import { isAllHandled } from './reminder-stack.ts';

const zones = [
  ...['Europe/Berlin', 'Europe/London', 'Atlantic/Azores', 'Africa/Cairo', 'America/New_York'],
  ...['America/Los_Angeles', 'America/St_Johns', 'America/Havana', 'America/Santiago'],
  ...['Australia/Sydney', 'Australia/Lord_Howe', 'Pacific/Chatham'],
];
/** REMINDER_COUNT=10000 takes a minute. */
const count = Number(process.env.REMINDER_COUNT ?? 2_000);
const [accountsPerZone, steps, editsPerStep] = [2, 6, 80];
const year = 2035;

type Reminded = {
  owner: Owner;
  id: string;
  day: string;
  time: string | null;
  status: 'open' | 'completed';
  isTrashed: boolean;
};
type Owner = { accountId: string; zone: string; client: ApiClient; hasMoved: boolean };

const draw = seededRandom(20_351_028);
const random = (below: number) => Math.floor(draw() * below);

/** By the rules of the browser's and Node's calendar, which share no code with the database's. */
function instantOf(day: string, time: string, zone: string): number {
  return Temporal.PlainDateTime.from(`${day}T${time}`).toZonedDateTime(zone, { disambiguation: 'compatible' })
    .epochMilliseconds;
}

/** What is sent of the task up to now, unless it was before. */
function dueKey({ id, day, time, owner, status, isTrashed }: Reminded, now: Date): string | undefined {
  if (time === null || status !== 'open' || isTrashed) return undefined;
  return instantOf(day, time, owner.zone) <= now.getTime() ? `${id} ${day} ${time}` : undefined;
}

/** Days on which the clock of the zone is changed. */
function changesOf(zone: string): string[] {
  const days: string[] = [];
  let at = Temporal.PlainDate.from({ year, month: 1, day: 2 }).toZonedDateTime(zone);
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.year > year) return days;
    days.push(next.toPlainDate().toString());
    at = next;
  }
}

/** Around a change of the zone's clock, mostly in the hours at which clocks are changed. */
function randomTime(zone: string): { day: string; time: string } {
  const days = changesOf(zone);
  const around = Temporal.PlainDate.from(days[random(days.length)] ?? `${year}-06-01`);
  const hour = random(3) === 0 ? random(24) : random(4);
  return {
    day: around.add({ days: random(3) - 1 }).toString(),
    time: `${String(hour).padStart(2, '0')}:${String(random(60)).padStart(2, '0')}`,
  };
}

async function openAccounts(
  stack: OwnStack,
  subscribe: () => { endpoint: string; p256dh: string; auth: string },
) {
  const owners: Owner[] = [];
  for (const zone of zones.flatMap((each) => Array.from({ length: accountsPerZone }, () => each))) {
    const account = await stack.createAccount({ timezone: zone });
    const { accountId } = account;
    const [sessionId, { endpoint, p256dh, auth }] = [randomUUID(), subscribe()];
    await stack.sql`insert into auth.browser_session
      (id, secret_hash, account_id, address, user_agent, created_at, last_seen_at, expires_at)
      values (${sessionId}, ${randomBytes(32)}, ${accountId}, '::1', '', now(), now(), '2040-01-01')`;
    await stack.sql`insert into auth.push_subscription
      (id, account_id, session_id, endpoint, p256dh, auth_secret, created_at)
      values (${randomUUID()}, ${accountId}, ${sessionId}, ${endpoint}, ${p256dh}, ${auth}, now())`;
    owners.push({ accountId, zone, client: stack.client(await stack.createToken(account)), hasMoved: false });
  }
  return owners;
}

/** In one write of each account, as an import would. */
async function addTasks(stack: OwnStack, owner: Owner, size: number): Promise<Reminded[]> {
  const made = Array.from({ length: size }, (): Reminded => {
    return { owner, id: randomUUID(), ...randomTime(owner.zone), status: 'open', isTrashed: false };
  });
  const rows = JSON.stringify(made.map(({ id, day, time }) => ({ id, day, time })));
  await stack.sql`with opened as materialized (
      select changed_at from tasks.start_write(${owner.accountId}::uuid, '{}')
    )
    insert into tasks.task (account_id, id, title, description_html, renderer_version, status, list, due_date,
      reminder_time, checklist, rank, is_trashed_with_project, created_at, updated_at)
    select ${owner.accountId}::uuid, id, 'Task', '', 1, 'open', 'someday', day, time, '[]',
      row_number() over (), false, changed_at, changed_at
    from jsonb_to_recordset(${rows}::jsonb) wanted (id uuid, day date, time text), opened`;
  return made;
}

const edits: ((task: Reminded) => Promise<unknown>)[] = [
  async (task) => {
    const isOpen = task.status === 'open';
    if (task.isTrashed) return;
    await task.owner.client.post(`/tasks/${task.id}/${isOpen ? 'complete' : 'uncomplete'}`);
    task.status = isOpen ? 'completed' : 'open';
  },
  async (task) => {
    const { client } = task.owner;
    await (task.isTrashed ? client.post(`/tasks/${task.id}/restore`) : client.delete(`/tasks/${task.id}`));
    task.isTrashed = !task.isTrashed;
  },
  async (task) => {
    const { day, time } = randomTime(task.owner.zone);
    await task.owner.client.patch(`/tasks/${task.id}`, { dueDate: day, reminderTime: time });
    Object.assign(task, { day, time });
  },
  async (task) => {
    await task.owner.client.patch(`/tasks/${task.id}`, { reminderTime: null });
    task.time = null;
  },
];

/** Each task at most once: what lies in the past of the clock may be sent while others are edited. */
async function edit(stack: OwnStack, owners: readonly Owner[], tasks: readonly Reminded[]): Promise<void> {
  const mover = owners[random(owners.length)];
  const others = new Set(tasks.filter(({ owner }) => owner !== mover));
  for (let done = 0; done < editsPerStep; done += 1) {
    const task = [...others][random(others.size)];
    if (task === undefined) continue;
    others.delete(task);
    await edits[random(edits.length)]?.(task);
  }
  if (mover === undefined) return;
  Object.assign(mover, { zone: zones[random(zones.length)], hasMoved: true });
  await stack.sql`update auth.account set timezone = ${mover.zone} where id = ${mover.accountId}`;
}

test('across changes of clocks in twelve zones, edits and restarts, each reminder comes once', async (t) => {
  const push = await openPushService();
  const databaseUrl = await freshDatabaseUrl(t);
  let now = new Date(`${year}-01-01T00:00:00Z`);
  let turn = 0;
  const open = () =>
    startStack(undefined, {
      withAuthServer: true,
      withReminders: true,
      now,
      databaseUrl,
      chooseReplica() {
        turn += 1;
        return turn % 2 === 0 ? 0 : 1;
      },
      environment: { PUSH_SERVICE_HOSTS: push.host },
    });
  let stack = await open();
  t.teardown(() => stack.close());
  t.teardown(push.close);
  const owners = await openAccounts(stack, push.subscribe);
  const size = Math.ceil(count / owners.length);
  const tasks = (await Promise.all(owners.map((owner) => addTasks(stack, owner, size)))).flat();
  const instants = tasks
    .map(({ day, time, owner }) => instantOf(day, time ?? '', owner.zone))
    .toSorted((a, b) => a - b);

  const expected = new Set<string>();
  for (let step = 1; step <= steps; step += 1) {
    await edit(stack, owners, tasks);
    const at =
      step === steps ? Date.UTC(year + 1, 0) : instants[Math.floor((instants.length * step) / steps)];
    now = new Date(at ?? 0);
    for (const key of tasks.flatMap((task) => dueKey(task, now) ?? [])) expected.add(key);
    stack.clock.set(now);
    if (step % 3 === 0) {
      // In the midst of it.
      await waitFor(() => push.received.length > expected.size - 200, {
        timeoutMilliseconds: 60_000,
        what: 'some',
      });
      await stack.close();
      stack = await open();
      for (const owner of owners)
        owner.client = stack.client((await stack.createToken({ ...owner, email: '' })).secret);
    }
    await waitFor(() => isAllHandled(stack), { timeoutMilliseconds: 120_000, what: `step ${step}` });
    await waitFor(() => push.received.length >= expected.size, {
      timeoutMilliseconds: 30_000,
      what: `all of ${step}`,
    });
  }

  const received = push.received.map(({ payload }) =>
    payload.kind === 'task' ? `${payload.taskId} ${payload.dueDate} ${payload.time}` : 'digest',
  );
  t.deepEqual(received.toSorted(), [...expected].toSorted());
  t.true(received.length > count * 0.9);
  t.deepEqual(await wrongInstants(stack, owners), []);
});

test('a message without a response when its process stops is not sent again by the next', async (t) => {
  const push = await openPushService();
  push.respond = () => undefined;
  const databaseUrl = await freshDatabaseUrl(t);
  const environment = { PUSH_SERVICE_HOSTS: push.host };
  const options = { withAuthServer: true, withReminders: true, databaseUrl, environment };
  const first = await startStack(undefined, { ...options, now: `${year}-01-01T00:00:00Z` });
  const [owner] = await openAccounts(first, push.subscribe);
  t.truthy(owner);
  const dueDate = `${year}-01-02`;
  await owner?.client.post('/tasks', { title: 'Call Ada', dueDate, reminderTime: '12:00' });
  first.clock.set(`${year}-01-03T12:00:00Z`);
  await waitFor(() => push.requests === 1, { timeoutMilliseconds: 60_000, what: 'the message' });
  await first.close();

  push.respond = () => ({ status: 201 });
  const second = await startStack(undefined, { ...options, now: `${year}-01-03T12:00:00Z` });
  t.teardown(() => second.close());
  t.teardown(push.close);
  await second.sql`update jobs.job set start_after = now() where name = 'push'`;
  await waitFor(() => isAllHandled(second), { timeoutMilliseconds: 60_000, what: 'all reminders' });
  t.is(push.requests, 1);
});

/** Of accounts whose zone has not changed: what the database scheduled at another instant. */
async function wrongInstants({ sql }: OwnStack, owners: readonly Owner[]) {
  const scheduled = await sql<{ account_id: string; civil_time: string; at: string }>`
    select account_id, civil_time, to_json(remind_at at time zone 'UTC') #>> '{}' as at from tasks.reminder`;
  const settled = new Map(
    owners.filter(({ hasMoved }) => !hasMoved).map(({ accountId, zone }) => [accountId, zone]),
  );
  return scheduled.filter(({ account_id, civil_time, at }) => {
    const [zone, [day = '', time = '']] = [settled.get(account_id), civil_time.split(' ')];
    return zone !== undefined && Date.parse(`${at}Z`) !== instantOf(day, time, zone);
  });
}

test('a zone whose name could be an abbreviation has its summer time', async (t) => {
  const { sql } = await startStack(t);
  for (const zone of words('CET EET EST EST5EDT GMT MET MST WET')) {
    for (const day of [`${year}-01-15`, `${year}-07-15`]) {
      const [found] = await sql<{ seconds: number }>`
        select extract(epoch from auth.civil_instant(${day}::date, '09:30', ${zone}))::float8 as seconds`;
      t.is(found?.seconds, instantOf(day, '09:30', zone) / 1_000, `${zone} ${day}`);
    }
  }
});
