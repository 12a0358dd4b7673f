import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { stopProcess } from '#local/child-process.ts';
import { findFreePort } from '#local/free-port.ts';
import type { SqlConnection } from '#tests/support/connect-sql.ts';
import { makeSelfSignedCertificate } from '#tests/support/self-signed-certificate.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { startLoggedProcess } from '../../logged-process.ts';
import type { Bench } from '../bench.ts';
import { type BenchCase, judgeCount } from '../bench-case.ts';
import { cores, pinProcess, processMilliseconds } from '../processes.ts';
import { percentile } from '../statistics.ts';
import { withConnection } from '../stores.ts';

const remindersPerAccount = 5;
const minuteMilliseconds = 60_000;
/** Enough for two processes to start. */
const leadMilliseconds = 10_000;

export const reminders: BenchCase = {
  id: 'reminders',
  what: '100,000 reminders of one minute, by one process of each service, to a push service on this machine',
  async run(bench) {
    const count = bench.isQuick ? 5_000 : 100_000;
    const databaseUrl = await bench.stores.createDatabase('reminders');
    try {
      return await withConnection(databaseUrl, (connection) =>
        measure(bench, connection, databaseUrl, count),
      );
    } finally {
      await bench.stores.dropDatabase('reminders');
    }
  },
};

async function measure(bench: Bench, connection: SqlConnection, databaseUrl: string, count: number) {
  await using push = await startPushService(bench);
  await addAccounts(connection, count / remindersPerAccount, push.host);
  const dueAt = nextMinute(Date.now() + leadMilliseconds + count / 5);
  await addReminders(connection, dueAt);
  await connection.run('vacuum analyze');
  const environment = { PUSH_SERVICE_HOSTS: push.host, NODE_EXTRA_CA_CERTS: push.certFile };
  await using _resourceApi = await bench.startService({ service: 'resource-api', databaseUrl });
  await using authServer = await bench.startService({ service: 'auth-server', databaseUrl, environment });
  bench.report(`${count} reminders are due at ${new Date(dueAt).toISOString()}`);
  const lastAt = dueAt + 5 * minuteMilliseconds;
  const arrivals = await waitFor(
    () => {
      bench.signal.throwIfAborted();
      const present = push.arrivals();
      return (present.length >= count || Date.now() > lastAt) && present;
    },
    { timeoutMilliseconds: lastAt - Date.now() + minuteMilliseconds, intervalMilliseconds: 500, what: 'all' },
  );
  const seconds = arrivals.map((at) => (at - dueAt) / 1_000).toSorted((left, right) => left - right);
  const tail = percentile(seconds, 0.99);
  const perReminder = processMilliseconds(authServer.pid) / arrivals.length;
  return [
    judgeCount(arrivals.length, {
      what: 'reminders that arrived',
      bound: { atLeast: count },
      unit: `of ${count}`,
    }),
    judgeCount(Number(tail.toFixed(1)), {
      what: 'lateness of reminders, 99th percentile',
      bound: { atMost: 30 },
      unit: 's',
    }),
    judgeCount(Number((seconds.at(-1) ?? Number.NaN).toFixed(1)), {
      what: 'lateness of the last reminder',
      bound: { atMost: 30 },
      unit: 's',
    }),
    judgeCount(Number(perReminder.toFixed(2)), {
      what: 'processor time of auth-server for a reminder',
      unit: 'ms',
    }),
    judgeCount(Number((seconds[0] ?? Number.NaN).toFixed(1)), {
      what: 'lateness of the first reminder (negative: too early)',
      bound: { atLeast: 0 },
      unit: 's',
    }),
  ];
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
    arrivals(): number[] {
      if (!existsSync(outFile)) return [];
      const lines = readFileSync(outFile, 'utf8').split('\n');
      return lines.filter(Boolean).map((line) => Number(line.split(' ', 1)[0]));
    },
    [Symbol.asyncDispose]: () => stopProcess(child, 'SIGTERM', 10_000),
  };
}

/** Each with a browser that receives reminders; one pair of keys serves them all. */
async function addAccounts({ sql }: SqlConnection, accounts: number, host: string): Promise<void> {
  const { publicKey } = await crypto.subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
    'deriveBits',
  ]);
  const p256dh = Buffer.from(await crypto.subtle.exportKey('raw', publicKey)).toString('base64url');
  const endpoint = `https://${host}/push/`;
  await sql`insert into auth.account
      (id, email, email_folded, password_hash, plan, timezone, status, created_at, updated_at)
    select gen_random_uuid(), mail, mail, 'none', 'free', 'UTC', 'active', now(), now()
    from generate_series(1, ${accounts}::int) number, lateral (select number || '@example.com' as mail) address`;
  await sql`insert into auth.browser_session
      (id, secret_hash, account_id, address, user_agent, created_at, last_seen_at, expires_at)
    select gen_random_uuid(), sha256(id::text::bytea), id, '::1', '', now(), now(), now() + interval '1 day'
    from auth.account`;
  await sql`insert into auth.push_subscription (id, account_id, session_id, endpoint, p256dh, auth_secret, created_at)
    select gen_random_uuid(), account_id, id, ${endpoint} || id, ${p256dh}, 'AAAAAAAAAAAAAAAAAAAAAA', now()
    from auth.browser_session`;
}

/** Tasks as an import would leave them, and what the trigger makes of them. */
async function addReminders({ sql }: SqlConnection, dueAt: number): Promise<void> {
  const [day = '', clock = ''] = new Date(dueAt).toISOString().split('T');
  const time = clock.slice(0, 5);
  await sql`insert into tasks.task (account_id, id, title, description_html, renderer_version, status, list, due_date,
      reminder_time, checklist, rank, is_trashed_with_project, created_at, updated_at)
    select account.id, gen_random_uuid(), 'Task ' || number || ': order what is missing for the shed', '', 1, 'open',
      'someday', ${day}::date, ${time}, '[]', number, false, now(), now()
    from auth.account, generate_series(1, ${remindersPerAccount}::int) number`;
  await sql`select count(tasks.schedule_reminder(task.account_id, task.id, due_date, reminder_time, 'UTC')::text)
    from tasks.task`;
}
