import { createPageBrowser } from '#tests/support/page-browser.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { createOAuthEndpoints, type OAuthEndpoints } from '../../oauth/oauth-endpoints.ts';
import {
  connectApp,
  type OAuthWorld,
  obtainCode,
  password,
  refreshRequest,
  registerClient,
} from '../../oauth/oauth-flow.ts';
import { countOf, type RaceResult, type RaceWorld } from './race.ts';

const clients = 20;

type World = Pick<OAuthWorld, 'endpoints' | 'browser'> & { clientId: string };

/**
 * The life of connected apps with everything asked 20 times at once, of one replica of auth-server after the other.
 * `baseUrl` is where people and the API's clients go.
 */
export async function oauthRaces(
  { sql }: RaceWorld,
  { baseUrl, authServerUrls }: { baseUrl: string; authServerUrls: readonly string[] },
  rounds: number,
): Promise<RaceResult> {
  const { email } = await createTestAccounts(sql).createAccount({ password });
  const browser = createPageBrowser(baseUrl);
  await browser.signIn({ email, password });
  const endpoints = alternating(createOAuthEndpoints(baseUrl), authServerUrls.map(createOAuthEndpoints));
  const world = { endpoints, browser, clientId: await registerClient({ endpoints }) };
  const misses: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    misses.push(
      ...(await redeemAtOnce(world)),
      ...(await refreshAtOnce(world)),
      ...(await revokeWhileRefreshing(world)),
    );
  }
  const requests = clients * rounds;
  return {
    figures: { redemptions: requests, refreshes: requests, refreshesRacingRevocation: requests },
    misses,
  };
}

/** One of them gets the tokens; that the code came again ends nothing but what came of a replay. */
async function redeemAtOnce(world: World): Promise<string[]> {
  const { redemption } = await obtainCode(world, { clientId: world.clientId });
  const answers = await atOnce(() => world.endpoints.token(redemption));
  const statuses = answers.map(({ status }) => status);
  const isOne = countOf(statuses, 200) === 1 && countOf(statuses, 400) === clients - 1;
  const winner = answers.find(({ status }) => status === 200);
  await world.endpoints.token(redemption);
  const afterReplay = winner === undefined ? 401 : await world.endpoints.me(winner.body.access_token);
  return [
    ...(isOne ? [] : [`of ${clients} redemptions ${countOf(statuses, 200)} succeeded`]),
    ...(afterReplay === 401 ? [] : [`after a replay of the code its token is answered ${afterReplay}`]),
  ];
}

/** Within the grace all of them succeed, each with tokens that work. */
async function refreshAtOnce(world: World): Promise<string[]> {
  const app = await connectApp(world, { clientId: world.clientId });
  const answers = await atOnce(() => world.endpoints.token(refreshRequest(app)));
  const statuses = answers.map(({ status }) => status);
  const used = await Promise.all(answers.map(({ body }) => world.endpoints.me(body.access_token)));
  const distinct = new Set(answers.map(({ body }) => body.refresh_token)).size;
  const isWhole =
    countOf(statuses, 200) === clients && countOf(used, 200) === clients && distinct === clients;
  return isWhole
    ? []
    : [`of ${clients} refreshes ${countOf(statuses, 200)} succeeded, ${countOf(used, 200)} tokens work`];
}

/** Once the revocation is answered no token of the grant is good, whichever side of it the refresh came on. */
async function revokeWhileRefreshing(world: World): Promise<string[]> {
  const app = await connectApp(world, { clientId: world.clientId });
  const refreshing = Array.from({ length: clients }, () => world.endpoints.token(refreshRequest(app)));
  const { status } = await world.endpoints.revoke({
    token: app.tokens.refresh_token,
    client_id: app.clientId,
  });
  const answers = await Promise.all(refreshing);
  const issued = answers.filter((answer) => answer.status === 200).map(({ body }) => body);
  const used = await Promise.all(
    [app.tokens, ...issued].map(({ access_token }) => world.endpoints.me(access_token)),
  );
  const renewed = await Promise.all(
    [app.tokens, ...issued].map(({ refresh_token }) =>
      world.endpoints.token(refreshRequest(app, refresh_token)),
    ),
  );
  const alive = countOf(used, 200) + renewed.filter((answer) => answer.status === 200).length;
  return status === 200 && alive === 0 ? [] : [`a revocation is answered ${status}, ${alive} tokens live on`];
}

function atOnce<Answer>(ask: () => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: clients }, ask));
}

/** Tokens are asked for and revoked at the replicas in turn. */
function alternating(front: OAuthEndpoints, replicas: readonly OAuthEndpoints[]): OAuthEndpoints {
  let turn = 0;
  const next = (): OAuthEndpoints => {
    turn += 1;
    return replicas[turn % replicas.length] ?? front;
  };
  return {
    ...front,
    token: (...request) => next().token(...request),
    revoke: (...request) => next().revoke(...request),
  };
}
