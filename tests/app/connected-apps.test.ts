import test from 'ava';
import { type AppConnections, connectedAppsPath } from '#shared/app/app-protocol.ts';
import { addOwner, connectApp, registerClient, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());
const { endpoints, stack } = world;

const ask = (browser: PageBrowser) => browser.get(connectedAppsPath);

test('the first run sees by name what its owner has connected, and nothing of others', async (t) => {
  const { browser } = await addOwner(stack);
  const { browser: other } = await addOwner(stack);
  const namesFor = async (of: PageBrowser): Promise<string[]> => {
    const { apps }: AppConnections = JSON.parse((await ask(of)).markup);
    return apps.map(({ name }) => name);
  };
  t.deepEqual(await namesFor(browser), []);
  await connectApp({ endpoints, browser }, { clientId });
  t.is((await namesFor(browser)).length, 1);
  t.deepEqual(await namesFor(other), []);
  t.is((await ask(browser)).headers.get('cache-control'), 'no-store');
  t.is((await ask(createPageBrowser(stack.baseUrl))).status, 401);
});
