import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test from 'ava';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { runAdmin } from '../admin/run-admin.ts';

const stack = await startStack(test);
const admin = (...args: string[]) => runAdmin(args, { DATABASE_URL: stack.databaseUrl });

test('the operator writes an account to a file, and reads it into an empty one, once', async (t) => {
  const source = await stack.newClient({ plan: 'premium', scopes: ['read', 'write'] });
  await source.post('/tasks', { title: 'Water the plants', description: '*Twice*' });
  const written = await admin('account', 'export', '--email', source.account.email);
  t.like(written, { exitCode: 0, stderr: '' });
  const { account, tasks } = JSON.parse(written.stdout);
  t.like(account, { email: source.account.email, plan: 'premium' });
  t.is(account.personalTokens.length, 1);
  t.false(written.stdout.includes('tms_'));
  t.is(tasks.length, 1);

  const folder = await mkdtemp(path.join(tmpdir(), 'account-file-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'account.json');
  await writeFile(file, written.stdout);
  const target = await stack.newClient({ plan: 'premium', scopes: ['read', 'write'] });
  const read = () => admin('account', 'import', '--email', target.account.email, '--file', file);
  t.like(JSON.parse((await read()).stdout), { accountId: target.account.accountId, tasks: 1 });
  const { body } = await target.get<{ descriptionHtml: string }>(`/tasks/${tasks[0].id}`);
  t.regex(body.descriptionHtml, /<em>Twice<\/em>/);
  const again = await read();
  t.like(again, { exitCode: 1, stdout: '' });
  t.regex(again.stderr, /^.*empty account.*\n$/);
});

test('an import that is interrupted says so, stores nothing, and can be begun again at once', async (t) => {
  const { account } = await stack.newClient({ plan: 'premium' });
  const words = ['deploy/admin/admin.ts', 'account', 'import', '--email', account.email, '--file', '-'];
  const child = spawn(process.execPath, words, {
    env: { ...programEnvironment, DATABASE_URL: stack.databaseUrl },
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin.write('{"format":"tasks-account","version":1,');
  const isRunning = async () =>
    (await stack.sql`select from tasks.account_import where account_id = ${account.accountId}`).length === 1;
  await waitFor(isRunning, { what: 'the import' });
  child.kill('SIGINT');
  const [errors] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  t.is(errors, 'interrupted by SIGINT; nothing was imported\n');
  t.is(child.exitCode, 1);
  t.false(await isRunning());
});

test('an export whose reader has ended says that the file is not complete', async (t) => {
  const { account } = await stack.newClient();
  const words = [process.execPath, 'deploy/admin/admin.ts', 'account', 'export', '--email', account.email];
  const { stderr } = await promisify(execFile)('/bin/sh', ['-c', '"$@" | true', 'sh', ...words], {
    env: { ...programEnvironment, DATABASE_URL: stack.databaseUrl },
  });
  t.is(stderr, 'standard output was closed; the file is not complete\n');
});
