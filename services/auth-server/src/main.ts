import { runServer } from '#shared/http/run-server.ts';
import { createApp } from './app.ts';
import { readConfig } from './config/config.ts';
import { createContext } from './context.ts';

const config = readConfig(process.env);
const context = await createContext(config);
const { logger, signingKeys, sweeper } = context;

signingKeys
  .reload()
  .catch((error: unknown) => logger.error({ err: error }, 'the signing keys are not there yet'));
sweeper.start();

await runServer({
  app: createApp(context),
  host: config.host,
  port: config.port,
  managementPort: config.managementPort,
  logger,
  isReady: async () => {
    await signingKeys.reload();
    return true;
  },
  dispose: () => context.close(),
});
