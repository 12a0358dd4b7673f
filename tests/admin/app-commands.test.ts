import { randomUUID } from 'node:crypto';
import test from 'ava';
import {
  addOwner,
  type ConnectedApp,
  connectApp,
  type OAuthWorld,
  obtainCode,
  refreshRequest,
  startOAuthWorld,
} from '#tests/oauth/oauth-flow.ts';
import { runAdminHere } from './run-admin.ts';
import type { ProgramResult } from './run-program.ts';

type App = {
  appId: string;
  clientId: string;
  name: string;
  scopes: string[];
  createdAt: string;
  lastUsedAt: string;
};

const { stack, endpoints } = await startOAuthWorld(undefined, { own: true });
test.after.always(stack.close);
const admin = (...args: string[]): Promise<ProgramResult> =>
  runAdminHere(args, { DATABASE_URL: stack.databaseUrl });

async function ownWorld(): Promise<OAuthWorld> {
  return { stack, endpoints, ...(await addOwner(stack)) };
}

async function list(email: string): Promise<App[]> {
  const { exitCode, stdout, stderr } = await admin('app', 'list', '--email', email);
  if (exitCode !== 0 || stderr !== '') throw new Error(`exit code ${exitCode}: ${stderr}`);
  return JSON.parse(stdout);
}

function idsOf(apps: readonly (App | ConnectedApp)[]): string[] {
  return apps.map((app) => ('appId' in app ? app.appId : app.grantId));
}

test('apps are listed oldest first, once their codes are redeemed', async (t) => {
  const own = await ownWorld();
  t.deepEqual(await list(own.owner.email), []);
  const reader = await connectApp(own, { scopes: ['read'] });
  const writer = await connectApp(own);
  await obtainCode(own);
  await connectApp(await ownWorld());
  const apps = await list(own.owner.email.toUpperCase());
  t.deepEqual(idsOf(apps), idsOf([reader, writer]));
  const [first, second] = apps;
  t.deepEqual(Object.keys(first ?? {}), ['appId', 'clientId', 'name', 'scopes', 'createdAt', 'lastUsedAt']);
  t.like(first, { clientId: reader.clientId, name: 'Test app', scopes: ['read'] });
  t.like(second, { clientId: writer.clientId, scopes: ['read', 'write'] });
  t.regex(first?.createdAt ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  t.true((first?.lastUsedAt ?? '') >= (first?.createdAt ?? ''));
});

test('disconnecting returns the app, ends it at its next request, and leaves the others', async (t) => {
  const own = await ownWorld();
  const [ended, other] = [await connectApp(own), await connectApp(own)];
  const shown = (await list(own.owner.email))[0];
  t.is(await endpoints.me(ended.tokens.access_token), 200);
  const { exitCode, stdout, stderr } = await admin(
    'app',
    'disconnect',
    '--app-id',
    ended.grantId.toUpperCase(),
  );
  t.is(stderr, '');
  t.is(exitCode, 0);
  const answer: App = JSON.parse(stdout);
  // Its use is written down some moments after it.
  t.deepEqual({ ...answer, lastUsedAt: shown?.lastUsedAt }, shown);
  t.is(await endpoints.me(ended.tokens.access_token), 401);
  t.like(await endpoints.token(refreshRequest(ended)), { status: 400, body: { error: 'invalid_grant' } });
  t.deepEqual(await stack.sql`select from auth.oauth_token where grant_id = ${ended.grantId}`, []);
  t.is(await endpoints.me(other.tokens.access_token), 200);
  t.deepEqual(idsOf(await list(own.owner.email)), idsOf([other]));
  const events = await stack.sql`select event, actor, subject_id, subject_name, address from auth.audit_event
    where account_id = ${own.owner.accountId} and event = 'app_disconnected'`;
  const subject = { subject_id: ended.grantId, subject_name: 'Test app' };
  t.deepEqual(events, [{ event: 'app_disconnected', actor: 'operator', ...subject, address: null }]);
});

test('an app that is unknown, malformed or disconnected already is one error', async (t) => {
  const own = await ownWorld();
  const { grantId } = await connectApp(own);
  await admin('app', 'disconnect', '--app-id', grantId);
  for (const id of [grantId, randomUUID(), 'x', '']) {
    t.deepEqual(await admin('app', 'disconnect', '--app-id', id), {
      exitCode: 1,
      stdout: '',
      stderr: 'there is no connected app with that id\n',
    });
  }
  const events = await stack.sql`select from auth.audit_event
    where account_id = ${own.owner.accountId} and event = 'app_disconnected'`;
  t.is(events.length, 1);
});
