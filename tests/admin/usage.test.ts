import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import test from 'ava';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { commands } from '../../deploy/admin/answer-command-line.ts';
import { runAdminHere, startAdmin } from './run-admin.ts';
import { runProgram } from './run-program.ts';

/** No database is to be found here: what is asked of the command line alone needs none. */
const env = { DATA_DIR: '/nonexistent/data' };

test('--help lists every command', async (t) => {
  for (const flag of ['--help', '-h']) {
    const { exitCode, stdout, stderr } = await runAdminHere([flag], env);
    t.is(exitCode, 0);
    t.is(stderr, '');
    for (const { name: command } of commands) {
      t.regex(stdout, new RegExp(`^  ${command} +[A-Z]`, 'm'));
      t.regex(stdout, new RegExp(`^  npm run --silent admin -- ${command}`, 'm'));
    }
  }
});

test('a command’s --help shows its options, an example and its output', async (t) => {
  for (const { name: command } of commands) {
    const { stdout, stderr } = await runAdminHere([...command.split(' '), '--help'], env);
    t.is(stderr, '');
    t.true(stdout.includes(`\nUsage: npm run --silent admin -- ${command}`));
    const [, example = ''] = /\nExample:\n {2}npm run --silent admin -- (.+)\n {2}[{[]/.exec(stdout) ?? [];
    t.true(example.startsWith(command));
    for (const [option] of example.matchAll(/--[a-z-]+/g)) t.true(stdout.includes(`\n  ${option} `), option);
  }
});

const lists = 'npm run --silent admin -- --help lists the commands';
const see = (command: string) => `see npm run --silent admin -- ${command} --help`;

const misused: [string[], string][] = [
  [[], `no command was given; ${lists}`],
  [['frobnicate'], `unknown command «frobnicate»; ${lists}`],
  [['account'], 'unknown command «account»; npm run --silent admin -- account --help lists the commands'],
  [['account', 'remove', '--email', 'x'], `unknown command «account remove»; ${lists}`],
  [['app', 'end'], `unknown command «app end»; ${lists}`],
  [['app', 'list'], `missing --email; ${see('app list')}`],
  [['app', 'disconnect', '--email', 'x'], `unknown option '--email'; ${see('app disconnect')}`],
  [['audit', 'list', '--limit', '5'], `missing --email; ${see('audit list')}`],
  [['frobnicate', '--help'], `unknown command «frobnicate»; ${lists}`],
  [['account', 'show'], `missing --email; ${see('account show')}`],
  [['token', 'create', '--name', 'x'], `missing --email, --scopes; ${see('token create')}`],
  [['account', 'show', '--emial', 'x'], `unknown option '--emial'; ${see('account show')}`],
  [['keys', 'rotate', '--force'], `unknown option '--force'; ${see('keys rotate')}`],
  [['account', 'show', '--email'], `option '--email <value>' argument missing; ${see('account show')}`],
  [['account', 'show', '--email', 'a@b', '--email', 'c@d'], '--email must be given once'],
  [
    ['account', 'show', '--email', '-x'],
    "option '--email' argument is ambiguous: write a value that starts with a dash as --name=-value; " +
      see('account show'),
  ],
];

test('an invalid command line is refused in one line', async (t) => {
  for (const [args, message] of misused)
    t.deepEqual(await runAdminHere(args, env), { exitCode: 1, stdout: '', stderr: `${message}\n` });
});

test('an extra argument is refused by name', async (t) => {
  for (const args of [
    ['show', 'bob', '--email', 'a@b'],
    ['show', '--email', 'a@b', 'bob'],
  ]) {
    const { exitCode, stderr } = await runAdminHere(['account', ...args], env);
    t.is(exitCode, 1);
    t.regex(stderr, /^unexpected argument 'bob'.*account show --help\n$/);
  }
});

test('a success is one line of JSON and exit code 0, an error one line and exit code 1', async (t) => {
  const { env } = await startAdmin(t);
  const admin = (...words: string[]) => runProgram('deploy/admin/admin.ts', words, env);
  const email = ['--email', 'ada@example.com'];
  const created = await admin('account', 'create', ...email);
  t.like(created, { exitCode: 0, stderr: '' });
  t.regex(created.stdout, /^\{.*\}\n$/);
  t.like(JSON.parse(created.stdout), { email: 'ada@example.com', plan: 'free' });
  t.deepEqual(await admin('token', 'list', ...email), { exitCode: 0, stdout: '[]\n', stderr: '' });
  t.deepEqual(await admin('token', 'list', '--email', 'bob@example.com'), {
    exitCode: 1,
    stdout: '',
    stderr: 'there is no account with that e-mail address\n',
  });
});

const fullTest = existsSync('/dev/full') ? test : test.skip;

fullTest('a command whose answer cannot be written fails and says so', async (t) => {
  const words = [process.execPath, 'deploy/admin/admin.ts', '--help'];
  const writing = promisify(execFile)('/bin/sh', ['-c', '"$@" > /dev/full', 'sh', ...words], {
    env: programEnvironment,
  });
  const { code, stderr } = await t.throwsAsync<Error & { code: number; stderr: string }>(writing);
  t.is(code, 1);
  t.is(
    stderr,
    'standard output could not be written: no space is left; the command has run, but its answer is lost\n',
  );
});

test('a command whose reader takes only the beginning of its answer fails and says so', async (t) => {
  const { env, sql, ask } = await startAdmin(t);
  const email = ['--email', 'ada@example.com'];
  const { accountId } = await ask<{ accountId: string }>('account', 'create', ...email);
  // More than a pipe holds.
  await sql`insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
    select ${accountId}, number, 'task', gen_random_uuid(), 'created', now()
    from generate_series(1, 5000) number`;
  const words = [process.execPath, 'deploy/admin/admin.ts', 'feed', 'show', ...email];
  const piped = ['--norc', '-o', 'pipefail', '-c', '"$@" | head -c 1', 'bash', ...words];
  const reading = promisify(execFile)('bash', piped, { env: { ...programEnvironment, ...env } });
  const { code, stderr } = await t.throwsAsync<Error & { code: number; stderr: string }>(reading);
  t.is(code, 1);
  t.is(stderr, 'standard output was closed; the command has run, but its answer is lost\n');
});
