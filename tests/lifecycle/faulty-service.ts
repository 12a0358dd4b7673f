import type { ServerResponse } from 'node:http';
import express from 'express';
import { createEnvReader } from '#shared/config/read-env.ts';
import { readServiceEnv } from '#shared/config/service-env.ts';
import { runServer } from '#shared/http/run-server.ts';
import { createLogger } from '#shared/logging/logger.ts';

/*
 * A service that fails as no code of ours should: `/throw` and `/reject` leave an error uncaught, and `/slow`
 * is answered after that.
 */
const config = readServiceEnv(createEnvReader(process.env));
const slow: ServerResponse[] = [];

process.on('uncaughtExceptionMonitor', () => {
  setImmediate(() => {
    for (const res of slow) res.end('answered all the same');
  });
});

const app = express().use((req, res) => {
  if (req.url === '/slow') {
    slow.push(res.writeHead(200, { 'X-Head': 'sent' }));
    res.flushHeaders();
    return;
  }
  const fault = new Error('thrown into the void');
  if (req.url === '/reject') void Promise.reject(fault);
  else {
    setImmediate(() => {
      throw fault;
    });
  }
  res.end();
});

await runServer({
  config,
  app,
  context: {
    logger: createLogger('faulty-service', config.logLevel),
    requiredSchema: {
      url: config.databaseUrl,
      role: 'resource_api',
      schema: 'tasks',
      migrations: [],
      timeoutMilliseconds: config.databaseWaitMilliseconds,
    },
    metrics: { source: { contentType: 'text/plain', read: async () => '' } },
    backgroundJobs: { start: () => undefined },
    close: async () => undefined,
  },
  initialData: { name: 'nothing', load: async () => undefined },
});
