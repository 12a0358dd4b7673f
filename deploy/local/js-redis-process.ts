import { text } from 'node:stream/consumers';
import { createRedisCommandExecutor, RedisServerState, Resp2Server } from 'js-redis-server/core';

/*
 * The Redis of `startEmbeddedRedis` if none is installed; it reads the same settings from standard input. The
 * package's `createRedisServer` would listen on every interface without a password.
 */
const settings = new Map(
  (await text(process.stdin)).split('\n').map((line): [string, string] => {
    const [name = '', value = ''] = line.split(' ');
    return [name, value];
  }),
);
const state = new RedisServerState({ databaseCount: 16, requirepass: settings.get('requirepass') ?? '' });
const redis = new Resp2Server({ server: state, executor: createRedisCommandExecutor({}) });
redis.server.listen({ port: Number(settings.get('port')), host: settings.get('bind') });
