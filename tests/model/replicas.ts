import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '#local/free-port.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { createKeepAliveClient } from '#tools/faults/keep-alive-client.ts';
import { createReplica } from '#tools/faults/replica.ts';
import type { Send } from './send-operation.ts';

/** A way to send over a connection of one's own, until it is closed. Rejects when there is no answer. */
export type OpenSender = { send: Send; close(): void };

export function openSender(rootUrl: string, token: string): OpenSender {
  const client = createKeepAliveClient(rootUrl);
  return {
    close: client.close,
    async send({ method, path: below, body }) {
      const answer = await client.send({ method, path: apiRootPath + below, token, body });
      if (typeof answer.outcome === 'string') throw new Error(`${method} ${below}: ${answer.outcome}`);
      return { status: answer.outcome, body: answer.body === '' ? undefined : JSON.parse(answer.body) };
    },
  };
}

/**
 * Two processes of resource-api over the same stores. Replicas in one process would not do: within a process the
 * writes of an account take turns before they reach the database.
 */
export async function startTwoReplicas(
  stores: { databaseUrl: string; redisUrl: string },
  parts: AsyncDisposableStack,
): Promise<string[]> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'replicas-'));
  parts.defer(() => rmSync(directory, { recursive: true, force: true }));
  const replicas = await Promise.all(
    [0, 1].map(async (index) =>
      createReplica({
        service: 'resource-api',
        port: await findFreePort(),
        managementPort: await findFreePort(),
        environment: {
          ...programEnvironment,
          BASE_URL: 'http://127.0.0.1:1',
          DATABASE_URL: stores.databaseUrl,
          REDIS_URL: stores.redisUrl,
          ADDRESS_LIMIT_EXEMPT: '127.0.0.0/8',
          DATABASE_WAIT_MILLISECONDS: '20000',
          LOG_LEVEL: 'warn',
        },
        nodeArguments: [],
        logFile: path.join(directory, `${index}.log`),
      }),
    ),
  );
  for (const replica of replicas) {
    parts.defer(async () => {
      if (replica.isRunning()) await replica.end('SIGKILL');
    });
  }
  await Promise.all(replicas.map((replica) => replica.start()));
  return replicas.map(({ url }) => url);
}
