import { createECDH, type ECDH } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stopProcess } from '#local/child-process.ts';
import { findFreePort } from '#local/free-port.ts';
import type { PushPayload } from '#shared/app/push-payload.ts';
import type { SqlConnection } from '#tests/support/connect-sql.ts';
import { decryptPush } from '#tests/support/decrypt-push.ts';
import { makeSelfSignedCertificate } from '#tests/support/self-signed-certificate.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startLoggedProcess } from '../../logged-process.ts';
import { cores, pinProcess, processMilliseconds } from '../../processes.ts';
import { percentile } from '../../statistics.ts';
import type { Bench } from '../bench.ts';
import { type BenchCase, judgeCount } from '../bench-case.ts';
import { withConnection } from '../stores.ts';

const minuteMilliseconds = 60_000;
/** Enough for two processes to start. */
const leadMilliseconds = 10_000;
/** A job ends while its last requests are under way. */
const requestMilliseconds = 30_000;
const browserSecret = 'AAAAAAAAAAAAAAAAAAAAAA';

type Load = { count: number; perPerson: number };

export const reminders: BenchCase = {
  id: 'reminders',
  what: '100,000 reminders of one minute, by one process of each service, to a push service on this machine',
  async run(bench) {
    const count = bench.isQuick ? 5_000 : 100_000;
    const findings = [];
    for (const perPerson of [5, 1]) {
      const databaseUrl = await bench.stores.createDatabase('reminders');
      try {
        findings.push(
          ...(await withConnection(databaseUrl, (connection) =>
            measure(bench, connection, databaseUrl, { count, perPerson }),
          )),
        );
      } finally {
        await bench.stores.dropDatabase('reminders');
      }
    }
    return findings;
  },
};

async function measure(bench: Bench, connection: SqlConnection, databaseUrl: string, load: Load) {
  const { count, perPerson } = load;
  await using push = await startPushService(bench);
  const browserKey = createECDH('prime256v1');
  await addAccounts(connection, count / perPerson, {
    endpoint: `https://${push.host}/push/`,
    p256dh: browserKey.generateKeys('base64url'),
  });
  const dueAt = nextMinute(Date.now() + leadMilliseconds + count / 5);
  await addReminders(connection, dueAt, perPerson);
  await connection.run('vacuum analyze');
  const environment = { PUSH_SERVICE_HOSTS: push.host, NODE_EXTRA_CA_CERTS: push.certFile };
  await using _resourceApi = await bench.startService({ service: 'resource-api', databaseUrl });
  await using authServer = await bench.startService({ service: 'auth-server', databaseUrl, environment });
  bench.report(
    `${count} reminders, ${perPerson} for each person, are due at ${new Date(dueAt).toISOString()}`,
  );
  const lastAt = dueAt + 5 * minuteMilliseconds;
  await waitFor(
    async () => {
      bench.signal.throwIfAborted();
      return (await countSent(connection)) >= count || Date.now() > lastAt;
    },
    {
      timeoutMilliseconds: lastAt - Date.now() + minuteMilliseconds,
      intervalMilliseconds: 1_000,
      what: 'all',
    },
  );
  const answeredBy = performance.now() + requestMilliseconds;
  const perReminder = processMilliseconds(authServer.pid) / count;
  const arrivals = await waitFor(
    async () => {
      const seen = push.arrivals((body) => countReminders(body, browserKey));
      return (seen.length >= count || performance.now() > answeredBy) && seen;
    },
    { timeoutMilliseconds: 2 * minuteMilliseconds, intervalMilliseconds: 1_000, what: 'the last arrivals' },
  );
  const seconds = arrivals.map((at) => (at - dueAt) / 1_000).toSorted((left, right) => left - right);
  const people = perPerson === 1 ? 'one for each person' : `${perPerson} for each person`;
  const judge = (what: string, value: number, bound: Bound, unit: string) =>
    judgeCount(Number(value.toFixed(2)), { what: `${what} (${people})`, unit, ...bound });
  return [
    judge('reminders that arrived', arrivals.length, { bound: { atLeast: count } }, `of ${count}`),
    judge('lateness, 99th percentile', percentile(seconds, 0.99), { bound: { atMost: 30 } }, 's'),
    judge('lateness of the last', seconds.at(-1) ?? Number.NaN, { bound: { atMost: 30 } }, 's'),
    judge(
      'lateness of the first (negative: too early)',
      seconds[0] ?? Number.NaN,
      { bound: { atLeast: 0 } },
      's',
    ),
    judge('processor time of auth-server for a reminder', perReminder, {}, 'ms'),
  ];
}

type Bound = Pick<Parameters<typeof judgeCount>[1], 'bound'>;

/** Counts the completed jobs. */
async function countSent({ sql }: SqlConnection): Promise<number> {
  const [row] = await sql<{ count: string }>`
    select count(*) from auth.reminder_delivery where not exists (
      select from jobs.job where name in ('reminder', 'push') and state in ('created', 'retry', 'active'))`;
  return Number(row?.count);
}

function countReminders(body: Buffer, browserKey: ECDH): number {
  const payloads: PushPayload[] = JSON.parse(decryptPush(body, browserKey, browserSecret));
  return payloads.length;
}

function nextMinute(milliseconds: number): number {
  return Math.ceil(milliseconds / minuteMilliseconds) * minuteMilliseconds;
}

async function startPushService({ directory }: Bench) {
  const [keyFile, certFile, outFile] = ['push.key', 'push.cert', 'push.log'].map((name) =>
    path.join(directory, name),
  ) as [string, string, string];
  const { key, cert } = makeSelfSignedCertificate();
  writeFileSync(keyFile, key, { mode: 0o600 });
  writeFileSync(certFile, cert);
  writeFileSync(outFile, '');
  const port = String(await findFreePort());
  const commandLine = ['tools/bench/push-stand-in.ts', keyFile, certFile, outFile, port];
  const { child, pid } = await startLoggedProcess(
    commandLine,
    process.env,
    path.join(directory, 'push-errors.log'),
  );
  pinProcess(pid, cores.others);
  return {
    host: `localhost:${port}`,
    certFile,
    /** When each reminder came: `countIn` tells how many a message holds. */
    arrivals(countIn: (body: Buffer) => number): number[] {
      const lines = readFileSync(outFile, 'utf8').split('\n').filter(Boolean);
      return lines.flatMap((line) => {
        const [at, body = ''] = line.split(' ');
        return Array.from({ length: countIn(Buffer.from(body, 'base64')) }, () => Number(at));
      });
    },
    [Symbol.asyncDispose]: () => stopProcess(child, 'SIGTERM', 10_000),
  };
}

/** Each with a browser that receives reminders; one pair of keys serves them all. */
async function addAccounts(
  { sql }: SqlConnection,
  accounts: number,
  { endpoint, p256dh }: { endpoint: string; p256dh: string },
): Promise<void> {
  await sql`insert into auth.account
      (id, email, email_folded, password_hash, plan, timezone, status, created_at, updated_at)
    select gen_random_uuid(), mail, mail, 'none', 'free', 'UTC', 'active', now(), now()
    from generate_series(1, ${accounts}::int) number,
      lateral (select number || '@example.com' as mail) address`;
  await sql`insert into auth.browser_session
      (id, secret_hash, account_id, address, user_agent, created_at, last_seen_at, expires_at)
    select gen_random_uuid(), sha256(id::text::bytea), id, '::1', '', now(), now(), now() + interval '1 day'
    from auth.account`;
  await sql`insert into auth.push_subscription
      (id, account_id, session_id, endpoint, p256dh, auth_secret, created_at)
    select gen_random_uuid(), account_id, id, ${endpoint} || id, ${p256dh}, ${browserSecret}, now()
    from auth.browser_session`;
}

/** Inserts tasks as an import does; the trigger schedules their reminders. */
async function addReminders({ sql }: SqlConnection, dueAt: number, perPerson: number): Promise<void> {
  const [day = '', clock = ''] = new Date(dueAt).toISOString().split('T');
  const time = clock.slice(0, 5);
  await sql`insert into tasks.task
      (account_id, id, title, description_html, renderer_version, status, list, due_date,
      reminder_time, checklist, rank, is_trashed_with_project, created_at, updated_at)
    select account.id, gen_random_uuid(), 'Task ' || number || ': order what is missing for the shed', '', 1,
      'open', 'someday', ${day}::date, ${time}, '[]', number, false, now(), now()
    from auth.account, generate_series(1, ${perPerson}::int) number`;
  await sql`select
    count(tasks.schedule_reminder(task.account_id, task.id, due_date, reminder_time, 'UTC')::text)
    from tasks.task`;
}
