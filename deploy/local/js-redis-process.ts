import { createRedisCommandExecutor, RedisServerState, Resp2Server } from 'js-redis-server/core';
import type { RedisLaunch } from './redis-process.ts';

/*
 * The program behind `launchJsRedis`: port and password arrive as the first message. The package's own
 * `createRedisServer` would listen on every interface without a password, so the server is put together here.
 */
const DATABASE_COUNT = 16;

process.once('message', (launch: RedisLaunch) => {
  const state = new RedisServerState({ databaseCount: DATABASE_COUNT, requirepass: launch.password });
  const redis = new Resp2Server({ server: state, executor: createRedisCommandExecutor({}) });
  redis.server.once('error', (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  });
  redis.server.listen({ port: launch.port, host: '127.0.0.1' }, () => process.send?.('ready'));
});

// Ctrl-C reaches every process of a terminal; the launcher decides when this one ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
