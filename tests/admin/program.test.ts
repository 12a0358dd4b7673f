import test from 'ava';
import { startAdmin } from './run-admin.ts';
import { runProgram } from './run-program.ts';

test('the program writes its answer as one line of JSON and ends with 0, or says why in one line and ends with 1', async (t) => {
  const { env } = await startAdmin(t);
  const admin = (...words: string[]) => runProgram('deploy/admin/admin.ts', words, env);
  const email = ['--email', 'ada@example.com'];
  const created = await admin('account', 'create', ...email, '--password', 'correct horse');
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
