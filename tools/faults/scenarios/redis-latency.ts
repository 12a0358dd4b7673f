import { setTimeout as delay } from 'node:timers/promises';
import { redisLatency } from '../redis-latency.ts';

export const redisFrozen = redisLatency({
  id: 'redis-frozen',
  fault: 'Redis frozen for 8 s (SIGSTOP)',
  proxied: false,
  cause: (cluster, milliseconds) => cluster.redis.freeze(milliseconds),
});

export const redisSlow = redisLatency({
  id: 'redis-slow',
  fault: 'every reply of Redis 200 ms late for 8 s',
  proxied: true,
  async cause(cluster, milliseconds) {
    cluster.proxy().setMode({ latencyMilliseconds: 200 });
    await delay(milliseconds);
    cluster.proxy().setMode('pass');
  },
});
