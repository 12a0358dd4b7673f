import { randomBytes } from 'node:crypto';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { describeOutcomes, percentile } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';
import { sendSteadily } from '../steady-requests.ts';

const perSecond = 1_000;
const seconds = 8;

export const unknownKeyFlood: Scenario = {
  id: 'unknown-key-flood',
  fault: `${perSecond} JWTs a second that name unknown keys, for ${seconds} s`,
  goal: 'all refused with 401; keys are loaded ≤ once a second',
  async run() {
    await using cluster = await startCluster({
      services: ['resource-api'],
      replicas: 1,
      proxied: 'database',
    });
    let loads = 0;
    cluster.proxy().onClientData((bytes) => {
      loads += bytes.toString('latin1').split('from auth.signing_key_public').length - 1;
    });
    const answers = await sendSteadily({
      urls: cluster.apiUrls,
      perSecond,
      seconds,
      clients: 32,
      requestFor: () => ({ method: 'GET', path: `${apiRootPath}/me`, token: inventedToken() }),
    });
    const strange = answers.filter(({ outcome }) => outcome !== 401);
    const rate = Math.round(answers.length / seconds);
    // One load at the first unknown key, and one after each second.
    const allowedLoads = seconds + 1;
    return {
      clientsSaw: `${describeOutcomes(answers)} at ${rate} a second`,
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        requests: answers.length,
        perSecond: rate,
        keyLoads: loads,
        p99Milliseconds: Math.round(
          percentile(
            answers.map(({ milliseconds }) => milliseconds),
            0.99,
          ),
        ),
      },
      misses: missesOf(
        [strange.length > 0, `answers other than 401: ${describeOutcomes(strange)}`],
        [loads > allowedLoads, `keys were loaded ${loads} times in ${seconds} s`],
        [rate < perSecond * 0.8, `only ${rate} requests a second were sent`],
        [loads === 0, 'no key was loaded: the flood did not reach the keys'],
      ),
    };
  },
};

/** Of the right form, signed by nobody. */
function inventedToken(): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const kid = randomBytes(32).toString('base64url');
  const header = encode({ alg: 'ES256', typ: 'at+jwt', kid });
  return `${header}.${encode({ sub: 'nobody' })}.${randomBytes(64).toString('base64url')}`;
}
