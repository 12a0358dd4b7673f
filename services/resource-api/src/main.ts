import { exitOnConfigError } from '#shared/config/read-env.ts';
import { runServer } from '#shared/http/run-server.ts';
import { createApp } from './app.ts';
import { readConfig } from './config/config.ts';
import { createContext } from './context.ts';

const config = exitOnConfigError(() => readConfig(process.env));
const context = await createContext(config);

await runServer({
  app: createApp(context),
  config,
  context,
  initialData: { name: 'cursor key', load: context.cursorSecret.load },
});
