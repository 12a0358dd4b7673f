import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { runAdmin, runAdminHere } from '../admin/run-admin.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const env = { DATABASE_URL: stack.databaseUrl };
const source = await stack.newClient({ plan: 'premium', scopes: ['read', 'write'] });
await source.post('/tasks', { title: 'Water the plants', description: '*Twice*' });
const written = await runAdmin(['account', 'export', '--email', source.account.email], env);

test.after.always(() => stack.close());

/** Programs start slowly on a busy machine. */
const patiently = { timeoutMilliseconds: 60_000 };

async function importInto({ email }: { email: string }, file: string) {
  return await runAdminHere(['account', 'import', '--email', email, '--file', file], env);
}

/** What was written, in a file. */
async function keepFile(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'account-file-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'account.json');
  await writeFile(file, written.stdout);
  return file;
}

test('the operator writes an account to a file, and reads it into an empty one, once', async (t) => {
  t.like(written, { exitCode: 0, stderr: '' });
  const { account, tasks } = JSON.parse(written.stdout);
  t.like(account, { email: source.account.email, plan: 'premium' });
  t.is(account.personalTokens.length, 1);
  t.false(written.stdout.includes('tms_'));
  t.is(tasks.length, 1);

  const file = await keepFile(t);
  const target = await stack.newClient({ plan: 'premium', scopes: ['read', 'write'] });
  t.like(JSON.parse((await importInto(target.account, file)).stdout), {
    accountId: target.account.accountId,
    tasks: 1,
  });
  const isRendered = async () => {
    const { body } = await target.get<{ descriptionHtml: string }>(`/tasks/${tasks[0].id}`);
    return body.descriptionHtml.includes('<em>Twice</em>');
  };
  // A busy machine may cut the rendering short; the service does it again.
  await waitFor(isRendered, { ...patiently, what: 'the rendered notes' });
  const again = await importInto(target.account, file);
  t.like(again, { exitCode: 1, stdout: '' });
  t.regex(again.stderr, /^.*empty account.*\n$/);
});

test('a file that cannot be read is named with the reason, and nothing is imported', async (t) => {
  const { account } = await stack.newClient();
  const folder = path.dirname(await keepFile(t));
  const inside = (name: string) => path.join(folder, name);
  await writeFile(inside('empty.json'), '');
  await writeFile(inside('text.json'), 'hello');
  const refusals: [string, string][] = [
    [inside('missing.json'), `«${inside('missing.json')}» can't be read: there is no such file`],
    [folder, `«${folder}» can't be read: it is a directory`],
    [inside('empty.json'), 'the file is empty'],
    [inside('text.json'), 'this is not valid JSON; only a file that was exported here can be imported'],
  ];
  for (const [file, message] of refusals)
    t.deepEqual(await importInto(account, file), { exitCode: 1, stdout: '', stderr: `${message}\n` });
});

/** An import by the operator that waits for the rest of its file. */
async function beginImport(t: ExecutionContext, { email, accountId }: { email: string; accountId: string }) {
  const words = ['deploy/admin/admin.ts', 'account', 'import', '--email', email, '--file', '-'];
  const child = spawn(process.execPath, words, {
    env: { ...programEnvironment, ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  t.teardown(() => child.kill('SIGKILL'));
  child.stdin.write('{"format":"tasks-account","version":1,');
  const lastSeen = async (): Promise<Date | undefined> => {
    const [present] = await stack.sql<{ at: Date | null }>`
      select started_at at from tasks.account_import where account_id = ${accountId}`;
    return present?.at ?? undefined;
  };
  await waitFor(async () => (await lastSeen()) !== undefined, { ...patiently, what: 'the import' });
  return { child, lastSeen };
}

test('an import that is interrupted says so, stores nothing, and can be begun again at once', async (t) => {
  const { account } = await stack.newClient({ plan: 'premium' });
  const { child, lastSeen } = await beginImport(t, account);
  child.kill('SIGINT');
  const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  t.is(errors, 'interrupted by SIGINT; nothing was imported\n');
  t.is(child.exitCode, 1);
  t.is(await lastSeen(), undefined);
});

test('an import that runs for long keeps others out; one that is killed can be repeated after a minute', async (t) => {
  const file = await keepFile(t);
  const { account } = await stack.newClient({ plan: 'premium' });
  const repeat = () => importInto(account, file);
  const passMinute = () => stack.sql`
    update tasks.account_import set started_at = started_at - interval '1 minute' where account_id = ${account.accountId}`;
  const { child, lastSeen } = await beginImport(t, account);
  const before = await lastSeen();
  await passMinute();
  await waitFor(async () => ((await lastSeen()) ?? 0) > (before ?? 0), { ...patiently, what: 'a renewal' });
  t.regex((await repeat()).stderr, /^.*An import of this account is running.*after a minute\.\n$/);
  child.kill('SIGKILL');
  await once(child, 'exit');
  t.is((await repeat()).exitCode, 1);
  await passMinute();
  t.is((await repeat()).exitCode, 0);
});

test('an export whose reader has ended, or whose disk is full, says that the file is not complete', async (t) => {
  const { account } = await stack.newClient();
  const words = [process.execPath, 'deploy/admin/admin.ts', 'account', 'export', '--email', account.email];
  const endings: [string, string][] = [['| true', 'was closed']];
  if (existsSync('/dev/full'))
    endings.push(['> /dev/full || true', 'could not be written: no space is left']);
  for (const [ending, reason] of endings) {
    const { stderr } = await promisify(execFile)('/bin/sh', ['-c', `"$@" ${ending}`, 'sh', ...words], {
      env: { ...programEnvironment, ...env },
    });
    t.is(stderr, `standard output ${reason}; the file is not complete\n`);
  }
});
