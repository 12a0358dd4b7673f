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
  isReady: async () => (await context.orm.em.fork().execute('select 1')).length === 1,
  dispose: () => context.close(),
});
