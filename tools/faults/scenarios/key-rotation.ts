import { setTimeout as delay } from 'node:timers/promises';
import { rotateSigningKeys } from '#auth-server/admin/key-admin.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { startCluster } from '../cluster.ts';
import { exchangeTokens } from '../exchange-tokens.ts';
import { describeOutcomes } from '../figures.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';
import { sendSteadily } from '../steady-requests.ts';

const rotations = 3;
const seconds = 32;
const perSecond = 300;
/** Replicas of auth-server sign with the new key within 3 s. */
const betweenRotationsMilliseconds = 8_000;

export const keyRotation: Scenario = {
  id: 'key-rotation',
  fault:
    `signing keys rotated ×${rotations} under ${perSecond} requests a second with JWTs, ` +
    'new ones exchanged all the while',
  goal: 'failed requests 0',
  async run(report) {
    await using cluster = await startCluster();
    const { database, replicas, keyEncryptionSecret } = cluster;
    const accounts = await createLoadAccounts(cluster, { accounts: 1, requests: perSecond * seconds * 1.2 });
    const secrets = accounts.flatMap(({ tokenSecrets }) => tokenSecrets);
    const authUrls = replicas['auth-server'].map(({ url }) => url);
    let tokens = await exchangeTokens(authUrls[0] ?? '', secrets);
    const keyIds = new Set(tokens.map(keyIdOf));
    const rotating = (async () => {
      for (let turn = 0; turn < rotations; turn += 1) {
        await delay(betweenRotationsMilliseconds / 2);
        await rotateSigningKeys(database.url, keyEncryptionSecret, true);
        report(`rotation ${turn + 1}`);
        await delay(betweenRotationsMilliseconds / 2);
        // By turns from either replica, so that both have to know the new key.
        tokens = await exchangeTokens(authUrls[turn % authUrls.length] ?? '', secrets);
        for (const token of tokens) keyIds.add(keyIdOf(token));
      }
    })();
    const answers = await sendSteadily({
      urls: cluster.apiUrls,
      perSecond,
      seconds,
      clients: 24,
      requestFor: (number) => ({
        method: 'GET',
        path: `${apiRootPath}/me`,
        token: tokens[number % tokens.length],
      }),
    });
    await rotating;
    const failed = answers.filter(({ outcome }) => outcome !== 200);
    const rate = Math.round(answers.length / seconds);
    return {
      clientsSaw: `${describeOutcomes(answers)} at ${rate} a second`,
      misses: missesOf(
        [failed.length > 0, `failed: ${describeOutcomes(failed)}`],
        [keyIds.size <= rotations, `tokens of only ${keyIds.size} keys were sent`],
        [rate < perSecond * 0.9, `only ${rate} requests a second were sent`],
      ),
    };
  },
};

function keyIdOf(token: string): string {
  const header: { kid: string } = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
  return header.kid;
}
