import test from 'ava';
import { connectApp } from '#tests/settings/signed-in-owner.ts';
import { makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { runAdmin } from './run-admin.ts';

const keyEncryptionSecret = 'the secret of these tests’ signing keys';
const stack = await startStack(undefined, {
  withAuthServer: true,
  environment: { KEY_ENCRYPTION_SECRET: keyEncryptionSecret },
});
const admin = (args: readonly string[]) =>
  runAdmin(args, { DATABASE_URL: stack.databaseUrl, KEY_ENCRYPTION_SECRET: keyEncryptionSecret });

const api = await stack.newClient();
const email = ['--email', api.account.email];
const project = await makeProject(api);
await api.delete(`/projects/${project.id}`);
const { appId } = await connectApp(stack, api.account);
test.after.always(stack.close);

const answered: readonly (readonly string[])[] = [
  ['account', 'create', '--email', 'new@example.com', '--password', 'correct horse'],
  ['account', 'update', ...email, '--timezone', 'Asia/Tokyo'],
  ['account', 'show', ...email],
  ['token', 'create', ...email, '--name', 'backup', '--scopes', 'read'],
  ['token', 'list', ...email],
  ['token', 'revoke', '--token-id', api.token.tokenId],
  ['app', 'list', ...email],
  ['app', 'disconnect', '--app-id', appId],
  ['audit', 'list', ...email],
  ['keys', 'rotate'],
  ['keys', 'replace'],
  ['project', 'restore', ...email, '--project-id', project.id],
  ['feed', 'show', ...email],
  ['notes', 'render'],
];

for (const args of answered) {
  const command = args.slice(0, 2).join(' ');
  test.serial(`${command} writes its answer as one line of JSON and ends with 0`, async (t) => {
    const { exitCode, stdout, stderr } = await admin(args);
    t.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    t.regex(stdout, /^[{[].*[}\]]\n$/);
    t.notThrows(() => JSON.parse(stdout));
  });
}

const nobody = ['--email', 'nobody@example.com'];
const nothing = '6ecd8c99-4036-403d-bf84-cf8400f67836';

const refused: readonly (readonly string[])[] = [
  ['account', 'create', ...email, '--password', 'correct horse'],
  ['account', 'update', ...nobody, '--plan', 'free'],
  ['account', 'show', ...nobody],
  ['token', 'create', ...nobody, '--name', 'backup', '--scopes', 'read'],
  ['token', 'list', ...nobody],
  ['token', 'revoke', '--token-id', nothing],
  ['app', 'list', ...nobody],
  ['app', 'disconnect', '--app-id', nothing],
  ['audit', 'list', ...nobody],
  ['project', 'restore', ...email, '--project-id', nothing],
  ['feed', 'show', ...nobody],
];

for (const args of refused) {
  const command = args.slice(0, 2).join(' ');
  test.serial(`${command} that is refused says why in one line and ends with 1`, async (t) => {
    const { exitCode, stdout, stderr } = await admin(args);
    t.deepEqual({ exitCode, stdout }, { exitCode: 1, stdout: '' });
    t.regex(stderr, /^(there is no|the account has no|--email belongs to) .*\n$/);
  });
}
