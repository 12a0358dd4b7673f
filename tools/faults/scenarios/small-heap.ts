import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { type ClientAnswer, createKeepAliveClient } from '../keep-alive-client.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { describeOutcomes } from '../load-figures.ts';
import { watchMemory } from '../memory-watch.ts';
import type { Scenario } from '../scenario.ts';

const heapMegabytes = 128;
const parallel = 50;
const rounds = 3;
/** Notes are rendered one after the other. */
const patienceMilliseconds = 60_000;
/** The most that is legal: astral characters take most bytes as JSON escapes, Markdown marks most work. */
const largestNotes = ['\u{1F600}'.repeat(100_000), '**a** _b_ `c` [d](https://example.com)\n'.repeat(2_500)];
const checklist = Array.from({ length: 200 }, () => ({ title: '\u{1F600}'.repeat(1_024) }));

export const smallHeap: Scenario = {
  id: 'small-heap',
  fault: `a heap of ${heapMegabytes} MB and ${parallel} of the largest legal bodies at once, ×${rounds}`,
  goal: 'crashes 0; nothing but success, 429 and 503',
  async run(report) {
    await using cluster = await startCluster({
      services: ['resource-api'],
      replicas: 1,
      nodeArguments: [`--max-old-space-size=${heapMegabytes}`],
    });
    const [url] = cluster.apiUrls;
    const [replica] = cluster.replicas['resource-api'];
    if (url === undefined || replica === undefined) throw new Error('there is no replica');
    const accounts = await cluster.database.query((sql) =>
      createLoadAccounts(sql, { accounts: 10, requests: 10 * rounds * parallel }),
    );
    const memory = watchMemory([replica]);
    const answers: ClientAnswer[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const sent = Array.from({ length: parallel }, async (_, index) => {
        const client = createKeepAliveClient(url, patienceMilliseconds);
        const account = accounts[index % accounts.length];
        const body = {
          title: `large ${index}`,
          description: largestNotes[index % largestNotes.length],
          ...(index % 4 === 3 && { description: 'short', checklist }),
        };
        const request = { method: 'POST', path: `${apiRootPath}/tasks`, token: account?.nextToken(), body };
        const answer = await client.send(request);
        client.close();
        return answer;
      });
      answers.push(...(await Promise.all(sent)));
      report(`round ${round + 1}: ${describeOutcomes(answers)}`);
    }
    memory.stop();
    const strange = answers.filter(({ outcome }) => ![201, 429, 503].includes(Number(outcome)));
    return {
      clientsSaw: describeOutcomes(answers),
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        requests: answers.length,
        crashes: cluster.unexpectedEnds(),
        growthMegabytes: memory.growthMegabytes(),
        longestMilliseconds: Math.round(Math.max(...answers.map(({ milliseconds }) => milliseconds))),
      },
      misses: missesOf(
        [cluster.unexpectedEnds() > 0, 'the replica ended'],
        [strange.length > 0, `other answers: ${describeOutcomes(strange)}`],
      ),
    };
  },
};
