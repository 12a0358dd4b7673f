import test from 'ava';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { authorizationRequest } from '#tests/oauth/oauth-flow.ts';
import { launchChromium } from '#tests/support/chromium.ts';
import { startStack } from '#tests/support/stack.ts';
import { looks, startWalk } from './walk.ts';

const longHost = `${'a-very-long-label-of-a-host-name.'.repeat(6)}example.com`;
const documentUrl = 'https://assistants.example.org/clients/desk.json';
const document = {
  client_id: documentUrl,
  client_name: 'Desk Assistant',
  redirect_uris: ['https://assistants.example.org/callback'],
};

const browser = await launchChromium();
const stack = await startStack(test, {
  withAuthServer: true,
  fetchDocument: async () => document,
});
test.after.always(() => browser.close());
const endpoints = createOAuthEndpoints(stack.baseUrl);
const password = 'seven quiet harbours';

const clients: { picture: string; name?: string; redirectUri: string; clientId?: string }[] = [
  { picture: 'https', redirectUri: 'https://assistant.example.com/oauth/callback' },
  { picture: 'long-host', redirectUri: `https://${longHost}/callback` },
  { picture: 'private-scheme', redirectUri: 'com.example.a-long-name-of-an-app.for-tests:/callback' },
  { picture: 'document', redirectUri: document.redirect_uris[0] ?? '', clientId: documentUrl },
  {
    picture: 'reversed-name',
    name: 'Assistant \u202edesrever\u202c \u200b\u2066 مساعد',
    redirectUri: 'https://assistant.example.com/callback',
  },
  {
    picture: 'piled-up-name',
    name: `Z${'\u0335\u0321\u0327\u0353\u033b'.repeat(36)} Assistant`,
    redirectUri: 'https://assistant.example.com/callback',
  },
  { picture: 'endless-name', name: 'W'.repeat(200), redirectUri: 'https://assistant.example.com/callback' },
];

async function addressFor({ name, redirectUri, clientId }: (typeof clients)[number]): Promise<string> {
  const registered =
    clientId ??
    String(
      (await endpoints.register({ redirect_uris: [redirectUri], client_name: name ?? 'Desk Assistant' })).body
        .client_id,
    );
  return endpoints.authorizeUrl(authorizationRequest(registered, { redirect_uri: redirectUri }).parameters);
}

for (const look of looks) {
  test.serial(
    `whatever an app calls itself and wherever it waits, its pages can be read: ${look.name}`,
    async (t) => {
      const walk = await startWalk(t, browser, { name: 'consent', look, origins: [stack.baseUrl] });
      const { page, open, see, write, press } = walk;
      const addresses = await Promise.all(clients.map(addressFor));
      for (const [index, { picture }] of clients.entries()) {
        await open(addresses[index] ?? '');
        await see('Sign in', `sign-in-${picture}`);
      }
      const { email } = await stack.createAccount({ password });
      await write(page.getByLabel('E-mail address'), email);
      await write(page.getByLabel('Password'), password);
      await press(page.getByRole('button', { name: 'Sign in' }));
      await see('use your tasks?', 'first');
      for (const [index, { picture }] of clients.entries()) {
        await open(addresses[index] ?? '');
        await see('use your tasks?', picture);
      }
      t.deepEqual(walk.faults, []);
    },
  );
}
