import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { createKeepAliveClient } from '#tools/faults/keep-alive-client.ts';
import type { RaceResult, RaceWorld } from './race.ts';

/** One request that was let through, with the moments between which it was counted. */
export type Admission = { sentAt: number; answeredAt: number };

const windowMilliseconds = 60_000;

/**
 * The most that were certainly counted within any window: those that were sent after its beginning and answered
 * before its end.
 */
export function mostInAWindow(admissions: readonly Admission[], milliseconds = windowMilliseconds): number {
  const most = admissions.map(({ sentAt: from }) =>
    admissions.filter(({ sentAt, answeredAt }) => sentAt >= from && answeredAt < from + milliseconds),
  );
  return Math.max(0, ...most.map(({ length }) => length));
}

type Asking = { tokens: readonly string[]; requests: number; during?: () => Promise<void> };

/** As many requests at once over all replicas; the statuses, and the errors of those that had no answer. */
async function askAtOnce({ apiUrls }: RaceWorld, { tokens, requests, during }: Asking) {
  const lanes = 20;
  const outcomes: (number | string)[] = [];
  let sent = 0;
  const asking = Array.from({ length: lanes }, async (_, lane) => {
    let replica = lane;
    let client = createKeepAliveClient(apiUrls[replica % apiUrls.length] ?? '');
    while (sent < requests) {
      const token = tokens[sent % tokens.length];
      sent += 1;
      const { outcome } = await client.send({ method: 'GET', path: `${apiRootPath}/me`, token });
      outcomes.push(outcome);
      if (typeof outcome === 'number') continue;
      // The replica is gone; whether it had counted the request is not known. The other one is asked in its place.
      sent -= 1;
      replica += 1;
      client.close();
      client = createKeepAliveClient(apiUrls[replica % apiUrls.length] ?? '');
    }
    client.close();
  });
  await during?.();
  await Promise.all(asking);
  return outcomes;
}

/**
 * 300 requests of one token, 700 of one address, within a window; `endReplica`, when given, ends one replica on the
 * way. Nothing else may come from this address meanwhile.
 */
export async function fullWindows(world: RaceWorld, endReplica?: () => Promise<void>): Promise<RaceResult> {
  const accounts = createTestAccounts(world.sql);
  const account = await accounts.createAccount({ plan: 'premium' });
  const newToken = async () => (await accounts.createToken(account)).secret;
  const ofToken = await askAtOnce(world, { tokens: [await newToken()], requests: 300 });
  // What the token was refused counted for the address as well: 300 of its 600 are used.
  const tokens = await Promise.all(Array.from({ length: 8 }, newToken));
  const ofAddress = await askAtOnce(world, {
    tokens,
    requests: 400,
    during: async () => {
      await endReplica?.();
    },
  });
  const count = (outcomes: readonly (number | string)[], wanted: number) =>
    outcomes.filter((outcome) => outcome === wanted).length;
  const unanswered = ofAddress.filter((outcome) => typeof outcome === 'string').length;
  const [byToken, byAddress] = [count(ofToken, 200), count(ofAddress, 200)];
  const isAddressExact = endReplica ? byAddress <= 300 && byAddress + unanswered >= 300 : byAddress === 300;
  return {
    figures: {
      'of 300 by one token': `${byToken} × 200, ${count(ofToken, 429)} × 429`,
      'of 700 by one address': `${byAddress + 300} counted, ${count(ofAddress, 429)} × 429, ${unanswered} unanswered`,
    },
    misses: [
      ...(byToken === 120 && count(ofToken, 429) === 180 ? [] : [`a token was let through ${byToken} times`]),
      ...(isAddressExact ? [] : [`the address was let through ${byAddress} times after its first 300`]),
    ],
  };
}

/** One token that never stops asking, for two windows and more: what the replicas let through, and when. */
export async function steadyAsking(world: RaceWorld, seconds: number): Promise<Admission[]> {
  const accounts = createTestAccounts(world.sql);
  const { secret } = await accounts.createToken(await accounts.createAccount());
  const admissions: Admission[] = [];
  const end = performance.now() + 1_000 * seconds;
  const asking = world.apiUrls.map(async (url) => {
    const client = createKeepAliveClient(url);
    while (performance.now() < end) {
      const { outcome, sentAt, milliseconds } = await client.send({
        method: 'GET',
        path: `${apiRootPath}/me`,
        token: secret,
      });
      if (outcome === 200) admissions.push({ sentAt, answeredAt: sentAt + milliseconds });
      // Twice the pace that the limit allows, and more: every window is full.
      await delay(250);
    }
    client.close();
  });
  await Promise.all(asking);
  return admissions;
}
