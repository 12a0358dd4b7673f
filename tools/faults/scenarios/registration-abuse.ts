import { setTimeout as delay } from 'node:timers/promises';
import { registerPath } from '#auth-server/oauth/oauth-paths.ts';
import { createOAuthEndpoints, type OAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { type ConnectedApp, connectApp, password, refreshRequest } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { describeOutcomes, percentile } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';
import { type SteadyAnswer, sendSteadily } from '../steady-requests.ts';

const registrations = 2_000;
const perSecond = 100;
const seconds = registrations / perSecond;
const registrationsPerAddress = 60;
/** What a registration costs beside a refresh is the machine’s; afterwards nothing may be left of it. */
const allowedRatio = { during: 2, after: 1.1 };
const sweepLimitMilliseconds = 180_000;

type Refreshes = { medianMilliseconds: number; failed: number };

export const registrationAbuse: Scenario = {
  id: 'registration-abuse',
  fault: `${registrations} registrations at ${perSecond} a second from one address, then as many from ${registrations} addresses`,
  goal: `of one address ${registrationsPerAddress} are accepted; refreshes: none fails, median × ≤ ${allowedRatio.during} meanwhile, ≤ ${allowedRatio.after} afterwards; a week later the sweep leaves the connected client alone`,
  async run(report) {
    await using cluster = await startCluster({ services: ['auth-server'], replicas: 1 });
    const url = cluster.replicas['auth-server'][0]?.url ?? '';
    const endpoints = createOAuthEndpoints(url);
    const refresh = createRefresher(endpoints, await connect(cluster));
    await refresh(5);
    const before = await refresh(seconds);
    report(`before: ${before.medianMilliseconds} ms`);
    const [fromOne, duringOne] = await Promise.all([flood(url, () => '203.0.113.1'), refresh(seconds)]);
    report(`from one address: ${describeOutcomes(fromOne)}, ${duringOne.medianMilliseconds} ms`);
    const addressOf = (number: number) => `2001:db8:${Math.floor(number / 256)}:${number % 256}::1`;
    const [fromMany, duringMany] = await Promise.all([flood(url, addressOf), refresh(seconds)]);
    report(`from many: ${describeOutcomes(fromMany)}, ${duringMany.medianMilliseconds} ms`);
    const after = await refresh(seconds);
    const stored = await countClients(cluster);
    const left = await sweepAfterAWeek(cluster, report);

    const accepted = fromOne.filter(({ outcome }) => outcome === 201).length;
    const refused = fromOne.filter(({ outcome }) => outcome === 429).length;
    const ratioOf = ({ medianMilliseconds }: Refreshes) =>
      round(medianMilliseconds / before.medianMilliseconds);
    const [ratioOne, ratioMany, ratioAfter] = [ratioOf(duringOne), ratioOf(duringMany), ratioOf(after)];
    const failed = [before, duringOne, duringMany, after].reduce((sum, phase) => sum + phase.failed, 0);
    return {
      clientsSaw: `one address: ${describeOutcomes(fromOne)}; many: ${describeOutcomes(fromMany)}; refreshes that failed: ${failed}`,
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        refreshMedianMilliseconds: before.medianMilliseconds,
        ratioDuringOneAddress: ratioOne,
        ratioDuringManyAddresses: ratioMany,
        ratioAfterwards: ratioAfter,
        clientsStored: stored,
        clientsAfterSweep: left,
      },
      misses: missesOf(
        [accepted !== registrationsPerAddress, `${accepted} registrations of one address were accepted`],
        [accepted + refused !== fromOne.length, `strange answers: ${describeOutcomes(fromOne)}`],
        [failed > 0, `${failed} refreshes failed`],
        [
          Math.max(ratioOne, ratioMany) > allowedRatio.during,
          'refreshes were slowed while clients registered',
        ],
        [ratioAfter > allowedRatio.after, 'refreshes are slower with more clients on record'],
        [left !== 1, `${left} clients were left by the sweep`],
      ),
    };
  },
};

async function connect(cluster: Cluster): Promise<{ endpoints: OAuthEndpoints; app: ConnectedApp }> {
  const account = await cluster.database.query((sql) => createTestAccounts(sql).createAccount({ password }));
  const browser = createPageBrowser(cluster.baseUrl);
  await browser.signIn({ email: account.email, password });
  const endpoints = createOAuthEndpoints(cluster.baseUrl);
  return { endpoints, app: await connectApp({ endpoints, browser }) };
}

/** Ten refreshes a second of one app, one after the other, each with the token of the one before. */
function createRefresher(endpoints: OAuthEndpoints, { app }: { app: ConnectedApp }) {
  let refreshToken = app.tokens.refresh_token;
  return async (forSeconds: number): Promise<Refreshes> => {
    const milliseconds: number[] = [];
    let failed = 0;
    for (let count = 0; count < forSeconds * 10; count += 1) {
      const startedAt = performance.now();
      const { status, body } = await endpoints.token(refreshRequest(app, refreshToken));
      milliseconds.push(performance.now() - startedAt);
      if (status === 200) refreshToken = body.refresh_token;
      else failed += 1;
      await delay(Math.max(0, 100 - (performance.now() - startedAt)));
    }
    return { medianMilliseconds: round(percentile(milliseconds, 0.5)), failed };
  };
}

/** Straight to the service, which believes the last address it is told, as of its own gateway. */
function flood(url: string, addressOf: (number: number) => string): Promise<SteadyAnswer[]> {
  return sendSteadily({
    urls: [url],
    perSecond,
    seconds,
    clients: 8,
    requestFor: (number) => ({
      method: 'POST',
      path: registerPath,
      headers: { 'x-forwarded-for': addressOf(number) },
      body: { redirect_uris: [`https://a.example/${number}`], client_name: `Client ${number}` },
    }),
  });
}

/** As if a week had passed: the service itself sweeps about once a minute. */
async function sweepAfterAWeek(cluster: Cluster, report: (line: string) => void): Promise<number> {
  await cluster.database.query(
    (sql) => sql`update auth.oauth_client set unused_since = unused_since - interval '7 days'`,
  );
  const end = performance.now() + sweepLimitMilliseconds;
  let left = await countClients(cluster);
  while (left > 1 && performance.now() < end) {
    await delay(2_000);
    left = await countClients(cluster);
  }
  report(`after the sweep: ${left} clients`);
  return left;
}

async function countClients(cluster: Cluster): Promise<number> {
  const [row] = await cluster.database.query(
    (sql) => sql<{ count: number }>`select count(*)::int as count from auth.oauth_client`,
  );
  return row?.count ?? 0;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
