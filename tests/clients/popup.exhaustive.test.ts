import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';
import { addOwner, authorizationRequest, registerClient, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { openWatchedPage, press, signIn } from './watched-page.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const browser = await launchChromium();
const world = await startOAuthWorld(undefined);
test.after.always(async () => {
  await browser.close();
  await world.stack.close();
});

const clientPage = `<!doctype html><title>Client</title><script>
  const told = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)));
  let popup;
</script>`;
/** What SDKs and connectors for browsers do at the end. */
const callbackPage = `<!doctype html><title>Callback</title><script>
  opener.postMessage(location.search);
</script>`;

/** A client in a browser, whose page has opened an authorization in a window of its own. */
async function openPopup(t: ExecutionContext): Promise<{ client: Page; popup: Page }> {
  const server = createServer((req, res) => {
    res.setHeader('Content-Type', 'text/html; charset=utf-8');
    res.end(req.url?.startsWith('/callback') ? callbackPage : clientPage);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close().closeAllConnections());
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  const redirectUri = `${origin}/callback`;
  const clientId = await registerClient(world, redirectUri);
  const { parameters } = authorizationRequest(clientId, { redirect_uri: redirectUri });
  const { page: client } = await openWatchedPage(t, browser, world.stack.baseUrl);
  await client.goto(origin);
  const url = JSON.stringify(world.endpoints.authorizeUrl(parameters));
  const opened = client.context().waitForEvent('page');
  await client.evaluate(`popup = window.open(${url}, 'oauth', 'popup')`);
  return { client, popup: await opened };
}

test.serial('a client hears from its popup, whatever pages the user came through', async (t) => {
  const { client, popup } = await openPopup(t);
  const isStillHeld = async (where: string) =>
    t.false(await client.evaluate('popup.closed'), `the client lost its popup at ${where}`);
  const button = (name: string) => popup.getByRole('button', { name, exact: true });
  const { owner } = await addOwner(world.stack);

  await signIn(popup, { email: owner.email, password: 'a wrong guess' });
  await popup.getByText('is not right').waitFor();
  await isStillHeld('the refused sign-in');
  await popup.getByRole('link', { name: 'Create one' }).click();
  await popup.getByLabel('E-mail address').fill(owner.email);
  await popup.getByLabel('Password').fill(owner.password);
  await button('Create the account').click();
  await popup.getByText('belongs to an account').waitFor();
  await isStillHeld('the refused sign-up');
  await popup.getByLabel('E-mail address').fill(`${randomUUID()}@example.com`);
  await popup.getByLabel('Password').fill(owner.password);
  await button('Create the account').click();
  await button('Use another account').click();
  await signIn(popup, owner);
  for (const box of await popup.getByRole('checkbox').all()) await box.uncheck();
  await press(popup, 'Allow');
  await popup.getByText('Choose at least one').waitFor();
  await isStillHeld('the consent page');
  await popup.getByRole('checkbox').first().check();
  await press(popup, 'Allow');

  const answer = new URLSearchParams(await client.evaluate<string>('told'));
  t.is(answer.get('state'), 'state-1');
  t.truthy(answer.get('code'));
});

test.serial('a client that lets its popup show an account’s settings holds it no longer', async (t) => {
  const { client, popup } = await openPopup(t);
  await signIn(popup, world.owner);
  await popup.getByRole('link', { name: 'Connected apps' }).click();
  await popup.getByRole('heading', { name: 'Connected apps' }).waitFor();
  await t.notThrowsAsync(client.waitForFunction('popup.closed'));
});
