import http from 'node:http';
import test from 'ava';
import { openDocumentHost } from '#tests/oauth/client-document-host.ts';
import { defaultRedirectUri } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { samplePng } from '#tests/oauth/sample-pictures.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { accessibilityFaults, openWindow } from '#tests/support/shown-page.ts';
import { takePicture } from '#tests/support/take-picture.ts';

const browser = await launchChromium();
const world = await startOAuthWorld(undefined, {
  publicHosts: { request: http.request, resolve: async () => ['127.0.0.1'], isAllowedAddress: () => true },
});
const { stack, endpoints, owner } = world;
test.after.always(async () => {
  await browser.close();
  await stack.close();
});

test.serial(
  'the consent page shows an app’s logo once it has come, and its initial until then and without one',
  async (t) => {
    const host = await openDocumentHost(t);
    const response = Promise.withResolvers<void>();
    host.answerWith(async (req, res) => {
      await response.promise;
      if (req.url === '/none.png') res.writeHead(404).end();
      else res.writeHead(200, { 'Content-Type': 'image/png' }).end(samplePng(300, 300));
    });
    const { page, faults } = await openWindow(t, browser);
    const open = async (logoUri: string) => {
      const metadata = { redirect_uris: [defaultRedirectUri], client_name: 'Claude', logo_uri: logoUri };
      const { body } = await endpoints.register(metadata);
      await page.goto(endpoints.authorizeUrl(authorizationRequest(String(body.client_id)).parameters));
    };
    const initial = () =>
      page.evaluate(`getComputedStyle(document.querySelector('.app-logo'), '::before').content`);
    await open(host.urlOf('/logo.png').href);
    await page.getByLabel('E-mail address').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'use your tasks?' }).waitFor();
    t.is(await initial(), '"C" / ""');
    t.is(await page.locator('.app-logo img').count(), 0);
    response.resolve();
    await page.locator('.app-logo img').waitFor();
    await takePicture(page, 'consent-logo');
    t.deepEqual(await accessibilityFaults(page), []);

    const failed = page.waitForResponse((response) => response.status() === 204);
    await open(host.urlOf('/none.png').href);
    await failed;
    t.is(await page.locator('.app-logo img').count(), 0);
    await takePicture(page, 'consent-initial');
    t.deepEqual(faults, []);
  },
);
