import { runServer } from '#shared/http/run-server.ts';
import { createApp } from './app.ts';
import { readConfig } from './config/config.ts';
import { createContext } from './context.ts';

const config = readConfig(process.env);
const context = await createContext(config);

await runServer({
  app: createApp(context),
  host: config.host,
  port: config.port,
  managementPort: config.managementPort,
  logger: context.logger,
  metrics: context.metrics.source,
  requiredSchema: context.requiredSchema,
  firstData: { name: 'signing keys', load: context.signingKeys.reload },
  onStarted: () => context.sweeper.start(),
  shutdownDelayMilliseconds: config.shutdownDelayMilliseconds,
  shutdownGraceMilliseconds: config.shutdownGraceMilliseconds,
  dispose: () => context.close(),
});
