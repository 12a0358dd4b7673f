import { fullWindows, mostInAWindow, steadyAsking } from '#tests/model/races/rate-windows.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';

const secondsOfAsking = 150;

export const windowEdge: Scenario = {
  id: 'window-edge',
  fault:
    'more requests than the limits allow, over two replicas, across the edge of a window, and with a replica killed',
  goal: 'exactly 120 of 300 by one token, 600 of 700 by one address; never more than 120 of a token in any 60 s',
  async run(report) {
    const whole = await withCluster('', (_, world) => fullWindows(world));
    report(JSON.stringify(whole));
    const killed = await withCluster('', (cluster, world) =>
      fullWindows(world, async () => {
        await cluster.replicas['resource-api'][1]?.end('SIGKILL');
      }),
    );
    report(JSON.stringify(killed));
    const admissions = await withCluster('127.0.0.0/8', (_, world) => steadyAsking(world, secondsOfAsking));
    const most = mostInAWindow(admissions);
    const misses = [
      ...whole.misses,
      ...killed.misses.map((miss) => `with a replica killed: ${miss}`),
      ...(most > 120 ? [`${most} requests of one token were let through within 60 s`] : []),
      ...(most < 100 ? [`only ${most} requests came within 60 s: no window was full`] : []),
    ];
    return {
      clientsSaw: '200 up to the limit, then 429',
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        ...whole.figures,
        'of 700 by one address, a replica killed': killed.figures['of 700 by one address'] ?? '–',
        mostIn60Seconds: most,
        letThrough: `${admissions.length} in ${secondsOfAsking} s`,
      },
      misses,
    };
  },
};

type Work<Result> = (cluster: Cluster, world: Parameters<typeof fullWindows>[0]) => Promise<Result>;

/** Stores of its own, so that the address has a whole window before it. */
async function withCluster<Result>(exempt: string, work: Work<Result>): Promise<Result> {
  await using cluster = await startCluster({
    services: ['resource-api'],
    // A busy machine is no unavailable store; and without Redis each replica counts by itself.
    environment: {
      ADDRESS_LIMIT_EXEMPT: exempt,
      REDIS_WAIT_MILLISECONDS: '10000',
      DATABASE_WAIT_MILLISECONDS: '20000',
    },
  });
  const connection = connectSql(cluster.database.url);
  try {
    return await work(cluster, { apiUrls: cluster.apiUrls, sql: connection.sql });
  } finally {
    await connection.close();
  }
}
