import test from 'ava';
import { changeAccount } from '#auth-server/admin/account-admin.ts';
import { endApp } from '#auth-server/admin/app-admin.ts';
import { redisServerKinds, unavailableMessage } from '#tests/rate-limit/redis-servers.ts';
import { startStack } from '#tests/support/stack.ts';
import {
  type AccessAtStake,
  type AccessLeft,
  accessLeft,
  nothingLost,
  openAccess,
  type TrailEntry,
  trailSince,
} from './access-at-stake.ts';
import { password } from './oauth-flow.ts';

type Loss = {
  /** The test's title. */
  says: string;
  happen(access: AccessAtStake): Promise<void>;
  /** What differs from nothing being lost. */
  leaves: Partial<AccessLeft>;
  trail(access: AccessAtStake): TrailEntry[];
};

const refused: [number, number] = [401, 401];
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
const readOnly: [number, number] = [200, 423];
const newPassword = 'quite another password';

const byOwner = { actor: 'owner', address: '127.0.0.1' };
const byApp = { actor: 'app', address: '127.0.0.1' };
const byOperator = { actor: 'operator', address: null };

const losses: Loss[] = [
  {
    says: 'a client that revokes its refresh token loses its grant and nothing else goes with it (RFC 7009 §2.1)',
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
    says: 'a new password in Settings ends all apps, codes, exchanged tokens and other browsers, personal tokens stay',
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
    says: 'a new password from the operator ends all apps, codes, exchanged tokens and browsers, personal tokens stay',
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

// One after the other: Redis is stopped between them.
for (const [says, cases] of [
  ['with Redis up', withRedis],
  ['with Redis stopped before it', withoutRedis],
] as const) {
  for (const { loss, access } of cases) {
    test.serial(`${loss.says}: ${says}`, async (t) => {
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
