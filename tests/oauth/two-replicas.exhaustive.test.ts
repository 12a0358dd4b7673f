import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import type { ChooseReplica } from '#tests/support/services.ts';
import { startStack } from '#tests/support/stack.ts';
import { createOAuthEndpoints } from './oauth-endpoints.ts';
import {
  addOwner,
  authorizationRequest,
  connectApp,
  password,
  refreshRequest,
  registerClient,
} from './oauth-flow.ts';

type Turns = {
  choose: ChooseReplica;
  /** Every request goes to this replica of both services from now on. */
  goTo(replica: 0 | 1): void;
  /** Requests go to the replicas in turn from now on. */
  alternate(): void;
};

/** Whom a balancer without a memory would send requests to. */
function createTurns(): Turns {
  let fixed: 0 | 1 | undefined;
  let next: 0 | 1 = 0;
  return {
    choose() {
      if (fixed !== undefined) return fixed;
      next = next === 0 ? 1 : 0;
      return next;
    },
    goTo(replica) {
      fixed = replica;
    },
    alternate() {
      fixed = undefined;
    },
  };
}

const turns = createTurns();
const stack = await startStack(undefined, { withAuthServer: true, chooseReplica: turns.choose });
const endpoints = createOAuthEndpoints(stack.baseUrl);
const world = { stack, endpoints, ...(await addOwner(stack)) };
test.after.always(() => stack.close());

/** The answers of the two replicas of resource-api. */
async function statusesOf(accessToken: string): Promise<number[]> {
  const statuses: number[] = [];
  for (const replica of [0, 1] as const) {
    turns.goTo(replica);
    statuses.push(await endpoints.me(accessToken));
  }
  return statuses;
}

test.serial('each step of a connected app’s life may meet another replica', async (t) => {
  turns.goTo(0);
  const clientId = await registerClient(world);
  turns.goTo(1);
  const { parameters, verifier, redirectUri } = authorizationRequest(clientId);
  const browser = createPageBrowser(stack.baseUrl);
  const signInPage = await browser.get(endpoints.authorizeUrl(parameters));
  turns.goTo(0);
  const { email } = world.owner;
  const signedIn = await browser.submit(signInPage, '/sign-in', { email, password });
  turns.goTo(1);
  const consentPage = await browser.follow(signedIn);
  turns.goTo(0);
  const answer = await browser.submit(consentPage, consentPage.path, {}, { button: 'Allow' });
  turns.goTo(1);
  const target = new URL((await browser.get(answer.location ?? '')).location ?? '');
  t.is(target.searchParams.get('iss'), stack.baseUrl);
  turns.goTo(0);
  const redeemed = await endpoints.token({
    grant_type: 'authorization_code',
    code: target.searchParams.get('code') ?? undefined,
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  t.is(redeemed.status, 200);
  t.deepEqual(await statusesOf(redeemed.body.access_token), [200, 200]);

  let tokens = redeemed.body;
  for (const replica of [1, 0, 1, 0] as const) {
    turns.goTo(replica);
    const { refresh_token } = tokens;
    const refreshed = await endpoints.token({
      grant_type: 'refresh_token',
      refresh_token,
      client_id: clientId,
    });
    t.is(refreshed.status, 200);
    tokens = refreshed.body;
    t.deepEqual(await statusesOf(tokens.access_token), [200, 200]);
  }
});

for (const replica of [0, 1] as const) {
  const other = replica === 0 ? 1 : 0;

  test.serial(`what is revoked on replica ${replica} is refused by both at the next request`, async (t) => {
    turns.alternate();
    const app = await connectApp(world);
    const sibling = await connectApp(world, { clientId: app.clientId });
    t.deepEqual(await statusesOf(app.tokens.access_token), [200, 200]);
    t.deepEqual(await statusesOf(sibling.tokens.access_token), [200, 200]);
    turns.goTo(replica);
    const revocation = { token: app.tokens.refresh_token, client_id: app.clientId };
    t.is((await endpoints.revoke(revocation)).status, 200);
    t.deepEqual(await statusesOf(app.tokens.access_token), [401, 401]);
    turns.goTo(other);
    t.like(await endpoints.token(refreshRequest(app)), { status: 400, body: { error: 'invalid_grant' } });

    turns.goTo(replica);
    const { access_token: token } = sibling.tokens;
    t.is((await endpoints.revoke({ token, client_id: app.clientId })).status, 200);
    t.deepEqual(await statusesOf(token), [401, 401]);
    turns.goTo(other);
    t.is((await endpoints.token(refreshRequest(sibling))).status, 200);
  });

  test.serial(`a browser signed in on replica ${replica} is so on both, until it signs out`, async (t) => {
    turns.goTo(replica);
    const browser = createPageBrowser(stack.baseUrl);
    await browser.signIn({ email: world.owner.email, password });
    turns.goTo(other);
    const settings = await browser.get('/settings');
    t.is(settings.status, 200);
    t.is((await browser.submit(settings, '/sign-out')).status, 303);
    turns.goTo(replica);
    t.like(await browser.get('/settings'), { status: 303, location: '/sign-in?return_to=%2Fsettings' });
  });
}
