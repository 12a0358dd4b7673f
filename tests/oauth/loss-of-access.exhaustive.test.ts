import test from 'ava';
import { changeAccount } from '#auth-server/admin/account-admin.ts';
import { endApp } from '#auth-server/admin/app-admin.ts';
import type { Person } from '#tests/pages/visitors.ts';
import { redisServerKinds, unavailableMessage } from '#tests/rate-limit/redis-servers.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { type OwnStack, type Stack, startStack } from '#tests/support/stack.ts';
import type { TestToken } from '#tests/support/test-accounts.ts';
import { createOAuthEndpoints, type OAuthEndpoints } from './oauth-endpoints.ts';
import {
  addOwner,
  connectApp,
  type OwnOAuthWorld,
  obtainCode,
  password,
  refreshRequest,
} from './oauth-flow.ts';

const used = [200, 201];

/** What becomes of every way in, without any loss. */
const nothingLost = {
  app: used,
  /** The app's token at the assistant server. */
  appAsAssistant: 200,
  appRefresh: 200,
  otherApp: used,
  otherAppRefresh: 200,
  waitingCode: 200,
  personalToken: used,
  exchangedToken: used,
  /** 303: signed out. */
  browsers: [200, 200],
  neighbour: used,
  neighbourRefresh: 200,
  neighbourToken: used,
};
/** Statuses, of reading and writing where there are two, or the error. */
type AccessLeft = Record<keyof typeof nothingLost, number | string | number[]>;

/** All the ways in to one account, each of them in use, and those of another account. */
async function openAccess(stack: OwnStack) {
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  const { owner, browser } = await addOwner(stack);
  const world = { stack, endpoints, owner, browser };
  const app = await connectApp(world);
  const otherApp = await connectApp(world);
  const waitingCode = (await obtainCode(world)).redemption;
  const personalToken = await stack.createToken(owner);
  const exchangedToken = await exchange(stack, personalToken);
  const furtherBrowser = createPageBrowser(stack.baseUrl);
  await furtherBrowser.signIn(owner);
  const access = {
    ...world,
    app,
    otherApp,
    waitingCode,
    waitingGrantId: await newestGrantOf(stack, owner),
    personalToken,
    exchangedToken,
    furtherBrowser,
    neighbour: await openNeighbour(stack, endpoints),
  };
  // Afterwards the services have cached these tokens.
  await useOf(stack, app.tokens.access_token);
  await askAssistant(stack, app.tokens.access_token);
  await useOf(stack, otherApp.tokens.access_token);
  await useOf(stack, exchangedToken);
  return { ...access, trailStart: await trailEnd(access) };
}

type AccessAtStake = Awaited<ReturnType<typeof openAccess>>;

async function openNeighbour(stack: Stack, endpoints: OAuthEndpoints) {
  const { owner, browser } = await addOwner(stack);
  return {
    app: await connectApp({ endpoints, browser }),
    personalToken: await stack.createToken(owner),
  };
}

async function newestGrantOf({ sql }: Stack, { accountId }: Person): Promise<string> {
  const [row] = await sql<{ id: string }>`select id from auth.oauth_grant where account_id = ${accountId}
    order by created_at desc limit 1`;
  return row?.id ?? '';
}

async function exchange({ anonymous }: Stack, { secret }: TestToken): Promise<string> {
  const { status, body } = await anonymous.post('/auth/token', { subjectToken: secret });
  if (status !== 200) throw new Error(`the exchange answers ${status}`);
  return String(body.accessToken);
}

/** Uses every way in once; refreshes come last, since they leave other tokens behind. */
async function accessLeft(access: AccessAtStake): Promise<AccessLeft> {
  const { stack, app, otherApp, neighbour, browser, furtherBrowser, endpoints } = access;
  return {
    app: await useOf(stack, app.tokens.access_token),
    appAsAssistant: await askAssistant(stack, app.tokens.access_token),
    otherApp: await useOf(stack, otherApp.tokens.access_token),
    personalToken: await useOf(stack, access.personalToken.secret),
    exchangedToken: await useOf(stack, access.exchangedToken),
    browsers: [(await browser.get('/settings')).status, (await furtherBrowser.get('/settings')).status],
    neighbour: await useOf(stack, neighbour.app.tokens.access_token),
    neighbourToken: await useOf(stack, neighbour.personalToken.secret),
    appRefresh: await redeem(endpoints, refreshRequest(app)),
    otherAppRefresh: await redeem(endpoints, refreshRequest(otherApp)),
    waitingCode: await redeem(endpoints, access.waitingCode),
    neighbourRefresh: await redeem(endpoints, refreshRequest(neighbour.app)),
  };
}

async function useOf(stack: Stack, token: string): Promise<number[]> {
  const client = stack.client(token);
  const read = await client.get('/me');
  const write = await client.post('/tasks', { title: 'Written with some token' });
  return [read.status, write.status];
}

/** The protocol's lightest request. */
async function askAssistant({ baseUrl }: Stack, token: string): Promise<number> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
  const response = await fetch(`${baseUrl}/mcp`, { method: 'POST', headers, body });
  await response.body?.cancel();
  return response.status;
}

/** 200 when the API also reads with what came back; else the error. */
async function redeem(
  { token, me }: OAuthEndpoints,
  parameters: Parameters<OAuthEndpoints['token']>[0],
): Promise<number | string> {
  const { status, body } = await token(parameters);
  return status === 200 ? me(body.access_token) : (body.error ?? status);
}

type TrailEntry = { event: string; actor: string; address: string | null; subject: string | null };

/** What the account's trail says since the access was opened. */
async function trailSince({ stack, owner, trailStart }: AccessAtStake): Promise<TrailEntry[]> {
  return stack.sql<TrailEntry>`select event, actor, address, subject_id as subject from auth.audit_event
    where account_id = ${owner.accountId} and sequence > ${trailStart} order by sequence`;
}

async function trailEnd({ stack, owner }: OwnOAuthWorld): Promise<string> {
  const [row] = await stack.sql<{ end: string }>`select max(sequence) as end from auth.audit_event
    where account_id = ${owner.accountId}`;
  return row?.end ?? '0';
}

type Loss = {
  /** The test's title. */
  says: string;
  happen(access: AccessAtStake): Promise<void>;
  /** What differs from nothing being lost. */
  leaves: Partial<AccessLeft>;
  trail(access: AccessAtStake): TrailEntry[];
};

const refused = [401, 401];
const appIsGone: Partial<AccessLeft> = {
  app: refused,
  appAsAssistant: 401,
  appRefresh: 'invalid_grant',
};
const allAppsAreGone: Partial<AccessLeft> = {
  ...appIsGone,
  otherApp: refused,
  otherAppRefresh: 'invalid_grant',
  waitingCode: 'invalid_grant',
  exchangedToken: refused,
};
const readOnly = [200, 423];
const newPassword = 'quite another password';

const byOwner = { actor: 'owner', address: '127.0.0.1' };
const byApp = { actor: 'app', address: '127.0.0.1' };
const byOperator = { actor: 'operator', address: null };

const losses: Loss[] = [
  {
    says: 'a client that revokes its refresh token loses its grant, and nothing else is lost (RFC 7009 §2.1)',
    happen: ({ endpoints, app }) => revoke(endpoints, app.clientId, app.tokens.refresh_token),
    leaves: appIsGone,
    trail: ({ app }) => [{ event: 'app_disconnected', ...byApp, subject: app.grantId }],
  },
  {
    says: 'a client that revokes its access token keeps its refresh token (RFC 7009 §2.1)',
    happen: ({ endpoints, app }) => revoke(endpoints, app.clientId, app.tokens.access_token),
    leaves: { app: refused, appAsAssistant: 401 },
    trail: () => [],
  },
  {
    says: 'an app that its owner disconnects in Settings is gone, the others stay',
    async happen({ browser, app }) {
      const action = `/settings/apps/${app.grantId}/disconnect`;
      await succeed(browser.submit(await browser.get('/settings/apps'), action), 303);
    },
    leaves: appIsGone,
    trail: ({ app }) => [{ event: 'app_disconnected', ...byOwner, subject: app.grantId }],
  },
  {
    says: 'an app that the operator disconnects is gone, the others stay',
    async happen({ stack, app }) {
      await endApp(stack, app.grantId);
    },
    leaves: appIsGone,
    trail: ({ app }) => [{ event: 'app_disconnected', ...byOperator, subject: app.grantId }],
  },
  {
    says: 'a new password in Settings ends apps, codes, exchanged tokens, other browsers, no personal tokens',
    happen: (access) => changePassword(access),
    leaves: { ...allAppsAreGone, browsers: [200, 303] },
    trail: (access) => passwordTrail(access, byOwner),
  },
  {
    says: 'a new password in Settings ends personal tokens too where that is asked for',
    happen: (access) => changePassword(access, { revoke_tokens: ['yes'] }),
    leaves: { ...allAppsAreGone, browsers: [200, 303], personalToken: refused },
    trail: (access) => [
      ...passwordTrail(access, byOwner),
      { event: 'token_revoked', ...byOwner, subject: access.personalToken.tokenId },
    ],
  },
  {
    says: 'a new password from the operator ends apps, codes, exchanged tokens, browsers, no personal tokens',
    async happen({ stack, owner }) {
      await changeAccount(stack, owner.email, { password: newPassword });
    },
    leaves: { ...allAppsAreGone, browsers: [303, 303] },
    trail: (access) => passwordTrail(access, byOperator),
  },
  {
    says: 'a suspended account is read and not written by everything that it allowed (specification §7)',
    async happen({ stack, owner }) {
      await changeAccount(stack, owner.email, { status: 'suspended' });
    },
    leaves: { app: readOnly, otherApp: readOnly, personalToken: readOnly, exchangedToken: readOnly },
    trail: () => [{ event: 'account_suspended', ...byOperator, subject: null }],
  },
];

async function succeed<Answer extends { status: number }>(
  request: Promise<Answer>,
  status: number,
): Promise<Answer> {
  const answer = await request;
  if (answer.status !== status) throw new Error(`answers ${answer.status} instead of ${status}`);
  return answer;
}

async function revoke(endpoints: AccessAtStake['endpoints'], clientId: string, token: string): Promise<void> {
  await succeed(endpoints.revoke({ token, client_id: clientId }), 200);
}

async function changePassword(
  { browser }: AccessAtStake,
  more: { revoke_tokens?: string[] } = {},
): Promise<void> {
  const fields = { current_password: password, new_password: newPassword, ...more };
  const page = await browser.get('/settings');
  await succeed(browser.submit(page, '/settings/password', fields), 303);
}

function passwordTrail(
  { app, otherApp, waitingGrantId }: AccessAtStake,
  by: Pick<TrailEntry, 'actor' | 'address'>,
): TrailEntry[] {
  return [
    { event: 'password_changed', ...by, subject: null },
    ...[app.grantId, otherApp.grantId, waitingGrantId].map((subject) => ({
      event: 'app_disconnected',
      ...by,
      subject,
    })),
  ];
}

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const [redisKind] = await redisServerKinds();
const redis = await redisKind?.start();
const stack = await startStack(undefined, {
  withAuthServer: true,
  redisUrl: redis?.url,
  // The code that waits has to live as long as the test is slow.
  environment: { AUTHORIZATION_CODE_TTL_SECONDS: '600' },
});
const openAll = () => Promise.all(losses.map(async (loss) => ({ loss, access: await openAccess(stack) })));
const [withRedis, withoutRedis] = [await openAll(), await openAll()];

test.after.always(async () => {
  await stack.close();
  await redis?.stop();
});

const isRedisMissed = () => stack.log.some(({ msg }) => msg.startsWith(unavailableMessage));

// Ava runs the serial ones first: Redis is stopped between them and the others, which wait side by side.
for (const [says, cases, run] of [
  ['with Redis up', withRedis, test.serial],
  ['with Redis stopped before it', withoutRedis, test],
] as const) {
  for (const { loss, access } of cases) {
    run(`${loss.says}: ${says}`, async (t) => {
      await loss.happen(access);
      const trail = await trailSince(access);
      t.deepEqual(await accessLeft(access), { ...nothingLost, ...loss.leaves });
      t.deepEqual(trail, loss.trail(access));
      t.is(isRedisMissed(), cases === withoutRedis);
    });
  }
  if (cases === withRedis)
    test.serial('without any loss every way in stays open', async (t) => {
      const access = await openAccess(stack);
      t.deepEqual(await accessLeft(access), nothingLost);
      t.deepEqual(await trailSince(access), []);
      await redis?.stop();
    });
}
