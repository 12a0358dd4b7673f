import test from 'ava';
import { PgBoss } from 'pg-boss';
import { waitFor } from '#tests/support/wait-for.ts';
import { startAdmin } from '../admin/run-admin.ts';
import { launchService } from '../lifecycle/service-process.ts';
import { startMailServer } from './mail-server.ts';

const address = 'ada@example.com';
const messageIdOf = ({ source }: { source: string }) => /^Message-ID: (\S+)/m.exec(source)?.[1] ?? '';

test('a message interrupted by a kill is sent by the next process, as the same message', async (t) => {
  const admin = await startAdmin(t);
  const mail = await startMailServer();
  t.teardown(mail.close);
  const databaseUrl = String(admin.env.DATABASE_URL);
  const environment = { SMTP_URL: mail.url, MAIL_FROM: 'Tasks <tasks@example.com>' };
  const launch = () => launchService(t, { service: 'auth-server', databaseUrl, environment });

  const killed = await launch();
  await killed.ready();
  await admin.ask('account', 'create', `--email=${address}`);
  mail.holdOnce(address);
  await admin.given('eleven loud harbours').ask('account', 'update', `--email=${address}`, '--password=-');
  const held = await waitFor(() => mail.held.at(0), {
    what: 'the first attempt',
    timeoutMilliseconds: 30_000,
  });
  killed.child.kill('SIGKILL');
  await killed.ended;

  const next = await launch();
  await next.ready();
  t.deepEqual(mail.received, []);
  await passMinutes(admin);
  await mail.mailTo(address);
  await waitFor(async () => (await admin.sql`select from jobs.job where state <> 'completed'`).length === 0, {
    what: 'the end of the job',
    timeoutMilliseconds: 30_000,
  });
  t.not(messageIdOf(held), '');
  t.deepEqual(mail.received.map(messageIdOf), [messageIdOf(held)]);
});

test('a service that starts without its job queue sends queued mail once it recovers', async (t) => {
  const admin = await startAdmin(t);
  const mail = await startMailServer();
  t.teardown(mail.close);
  await admin.ask('account', 'create', `--email=${address}`);
  await admin.given('eleven loud harbours').ask('account', 'update', `--email=${address}`, '--password=-');
  await admin.sql`alter schema jobs rename to jobs_elsewhere`;
  const service = await launchService(t, {
    service: 'auth-server',
    databaseUrl: String(admin.env.DATABASE_URL),
    environment: { SMTP_URL: mail.url, MAIL_FROM: 'Tasks <tasks@example.com>' },
  });
  await service.ready();
  await service.logged('the job queue failed');
  await admin.sql`alter schema jobs_elsewhere rename to jobs`;
  t.truthy(await mail.mailTo(address));
});

/** After a minute a job is taken from a process that does not finish it; processes look once a minute. */
async function passMinutes({ env, sql }: Awaited<ReturnType<typeof startAdmin>>): Promise<void> {
  await sql`update jobs.job set started_on = started_on - interval '2 minutes' where state = 'active'`;
  const boss = new PgBoss({
    connectionString: String(env.DATABASE_URL),
    schema: 'jobs',
    migrate: false,
    supervise: false,
    schedule: false,
  });
  await boss.start();
  await boss.supervise('mail');
  await boss.stop();
  await sql`update jobs.job set start_after = now() where state = 'retry'`;
}
