import { runServer } from '#shared/http/run-server.ts';
import { unlimited } from './service-settings.ts';

/* A program: runs the named service as its main.ts does, but without limits per token and address. */

async function runResourceApi(): Promise<void> {
  const [{ createApp }, { createContext }, { readConfig }] = await Promise.all([
    import('#resource-api/app.ts'),
    import('#resource-api/context.ts'),
    import('#resource-api/config/config.ts'),
  ]);
  const config = { ...readConfig(process.env), ...unlimited };
  const context = await createContext(config);
  const initialData = { name: 'cursor key', load: context.cursorSecret.load };
  await runServer({ app: createApp(context), config, context, initialData });
}

async function runAuthServer(): Promise<void> {
  const [{ createApp }, { createContext }, { readConfig }] = await Promise.all([
    import('#auth-server/app.ts'),
    import('#auth-server/context.ts'),
    import('#auth-server/config/config.ts'),
  ]);
  const config = { ...readConfig(process.env), ...unlimited };
  const context = await createContext(config);
  const initialData = { name: 'signing keys', load: context.signingKeys.reload };
  await runServer({ app: createApp(context), config, context, initialData });
}

await (process.argv[2] === 'auth-server' ? runAuthServer() : runResourceApi());
