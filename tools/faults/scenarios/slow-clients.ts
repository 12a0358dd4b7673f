import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { createLoadAccounts, type LoadAccount } from '../load-accounts.ts';
import { describeOutcomes, percentile } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';
import { openSlowSockets, type SlowKind, type SlowSocket } from '../slow-sockets.ts';
import { type SteadyAnswer, sendSteadily } from '../steady-requests.ts';

const perSecond = 40;
const quietSeconds = 20;
const slowSeconds = 46;
const slowBodies = 700;
const accountCount = 10;
const greatestRatio = 1.5;
/** Beyond a limit: the time between two looks at the connections, and what a busy machine adds. */
const slackMilliseconds = 4_000;
const headersLimitMilliseconds = 10_000;
const bodyLimitMilliseconds = 30_000;

export const slowClients: Scenario = {
  id: 'slow-clients',
  fault: '2,000 connections that send a byte every 10 s or nothing, beside normal requests',
  goal: `p99 of normal requests at most ×${greatestRatio}; every slow one ended, headers after 10 s, bodies after 30 s`,
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'], replicas: 1 });
    const [replica] = cluster.replicas['resource-api'];
    const [url] = cluster.apiUrls;
    if (replica === undefined || url === undefined) throw new Error('there is no replica');
    // One account also has the slow bodies to pay for; all get as many tokens.
    const requests = perSecond * (3 * quietSeconds + slowSeconds) + accountCount * slowBodies;
    const accounts = await cluster.database.query((sql) =>
      createLoadAccounts(sql, { accounts: accountCount, requests }),
    );
    const send = (seconds: number) =>
      sendSteadily({
        urls: [url],
        perSecond,
        seconds,
        clients: 20,
        requestFor: (number) => requestFor(accounts, number),
      });

    // The first seconds of a process are its slowest.
    await send(quietSeconds / 2);
    report('normal requests alone');
    const before = await send(quietSeconds);
    report('2,000 slow connections beside them');
    const [during, slow] = await Promise.all([
      send(slowSeconds),
      openSlowSockets(replica.port, kindsFor(accounts)),
    ]);
    await delay(slackMilliseconds);
    const open = slow.sockets.filter(
      ({ endedAfterMilliseconds }) => endedAfterMilliseconds === undefined,
    ).length;
    slow.close();
    report('normal requests alone, once more');
    const after = await send(quietSeconds);

    const quiet = p99([...before, ...after]);
    const late = slow.sockets.filter((socket) => isLate(socket));
    const strange = [...before, ...during, ...after].filter(
      ({ outcome }) => outcome !== 200 && outcome !== 201,
    );
    const ratio = Math.round((p99(during) / quiet) * 100) / 100;
    return {
      clientsSaw: describeOutcomes([...before, ...during, ...after]),
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        'p99 alone, ms': quiet,
        'p99 before and after, ms': `${p99(before)}, ${p99(after)}`,
        'p99 beside slow clients, ms': p99(during),
        ratio,
        'slow connections': slow.sockets.length,
        'still open': open,
        ...endsByKind(slow.sockets),
      },
      misses: missesOf(
        [ratio > greatestRatio, `p99 ×${ratio}`],
        [open > 0, `${open} slow connections were never ended`],
        [late.length > 0, `${late.length} slow connections were ended late`],
        [strange.length > 0, `normal requests were answered ${describeOutcomes(strange)}`],
      ),
    };
  },
};

function requestFor(accounts: readonly LoadAccount[], number: number) {
  const account = accounts[number % accounts.length];
  const token = account?.nextToken();
  if (number % 4 > 0) return { method: 'GET', path: `${apiRootPath}/tasks?view=inbox&limit=20`, token };
  return {
    method: 'POST',
    path: `${apiRootPath}/tasks`,
    token,
    body: { title: `Beside slow clients ${number}` },
  };
}

function kindsFor([account]: readonly LoadAccount[]): SlowKind[] {
  const head = (method: string, path: string) =>
    `${method} ${apiRootPath}${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const type = 'Content-Type: application/json\r\nContent-Length: 1000';
  // Each with a request that its token has left, so that nothing but its slowness ends it.
  const body = () => `Authorization: Bearer ${account?.nextToken()}\r\n${type}\r\n\r\n{"title":"`;
  return [
    { name: 'headers', count: 700, opening: () => `${head('GET', '/me')}X-Slow: `, drip: 'a' },
    { name: 'body', count: slowBodies, opening: () => head('POST', '/tasks') + body(), drip: 'a' },
    { name: 'idle', count: 600, opening: () => '', drip: '' },
  ];
}

function isLate({ kind, endedAfterMilliseconds }: SlowSocket): boolean {
  const limit = kind === 'body' ? bodyLimitMilliseconds : headersLimitMilliseconds;
  return endedAfterMilliseconds !== undefined && endedAfterMilliseconds > limit + slackMilliseconds;
}

/** «700 ended after 10.1 to 12.0 s with 408 × 700» of each kind. */
function endsByKind(sockets: readonly SlowSocket[]): Record<string, string> {
  const kinds = [...Map.groupBy(sockets, ({ kind }) => kind)].map(([kind, of]) => {
    const ends = of
      .flatMap(({ endedAfterMilliseconds }) => endedAfterMilliseconds ?? [])
      .toSorted((a, b) => a - b);
    const seconds = (milliseconds = 0): string => (milliseconds / 1_000).toFixed(1);
    const outcomes = describeOutcomes(of.map(({ status }) => ({ outcome: status ?? 'no answer' })));
    return [
      kind,
      `${ends.length} ended after ${seconds(ends[0])} to ${seconds(ends.at(-1))} s with ${outcomes}`,
    ] as const;
  });
  return Object.fromEntries(kinds);
}

function p99(answers: readonly SteadyAnswer[]): number {
  const milliseconds = answers.map((answer) => answer.milliseconds);
  return Math.round(percentile(milliseconds, 0.99) * 10) / 10;
}
