import http, { createServer, type RequestListener } from 'node:http';
import test from 'ava';
import { isPublicAddress } from '#auth-server/clients/public-address.ts';
import { runWithoutRights } from '#auth-server/clients/reencode-image.ts';
import { type AppConnections, connectedAppsPath } from '#shared/app/app-protocol.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { createPageBrowser, type PageBrowser } from '#tests/support/page-browser.ts';
import { elementsNamed } from '#tests/support/page-markup.ts';
import type { PageView } from '#tests/support/page-view.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type DocumentHost, openDocumentHost } from './client-document-host.ts';
import { defaultRedirectUri } from './oauth-endpoints.ts';
import {
  addOwner,
  authorizationRequest,
  connectApp,
  openConsentPage,
  startOAuthWorld,
} from './oauth-flow.ts';
import { sampleBitmap, samplePictures, samplePng } from './sample-pictures.ts';

/** Names of this machine, and one that leads to it by an address that is not public. */
const publicHosts = {
  request: http.request,
  resolve: async (name: string) => (name === 'private.example' ? ['10.0.0.1'] : ['127.0.0.1']),
  isAllowedAddress: (address: string) => address === '127.0.0.1' || isPublicAddress(address),
};
const world = await startOAuthWorld(undefined, { publicHosts });
const { endpoints, stack } = world;
test.after.always(() => stack.close());

/** One after the other: all of them come from one address, which gets few fetches at once. */
async function register(logoUri: string | undefined): Promise<string> {
  const { status, body } = await endpoints.register({
    redirect_uris: [defaultRedirectUri],
    client_name: 'Test app',
    logo_uri: logoUri,
  });
  if (status !== 201) throw new Error(`registration answers ${status}`);
  return String(body.client_id);
}

function sendPicture(type: string, picture: Buffer): RequestListener {
  return (_req, res) => res.writeHead(200, { 'Content-Type': type }).end(picture);
}

function picturesOf(page: PageView): string[] {
  return elementsNamed(page.root, 'img').flatMap(({ attributes }) => attributes.get('src') ?? []);
}

async function load(browser: PageBrowser, path: string) {
  const response = await fetch(stack.baseUrl + path, { headers: { cookie: browser.cookies.header(path) } });
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
}

const openConsent = (browser: PageBrowser, clientId: string) =>
  openConsentPage(browser, endpoints.authorizeUrl(authorizationRequest(clientId).parameters));

/** The logo on the consent page of an app that gives this address for it. */
async function logoAt(logoUri: string) {
  const { browser } = await addOwner(stack);
  const [path = ''] = picturesOf(await openConsent(browser, await register(logoUri)));
  return load(browser, path);
}

async function logosOf(browser: PageBrowser): Promise<boolean[]> {
  const { apps }: AppConnections = JSON.parse((await browser.get(connectedAppsPath)).markup);
  return apps.map(({ hasLogo }) => hasLogo);
}

for (const [type, picture] of Object.entries(samplePictures())) {
  test.serial(`a logo that is ${type} is shown as a small PNG`, async (t) => {
    const host = await openDocumentHost(t);
    host.answerWith(sendPicture(type, picture));
    const { response, bytes } = await logoAt(host.urlOf('/logo').href);
    t.is(response.status, 200);
    t.is(response.headers.get('content-type'), 'image/png');
    t.is(response.headers.get('content-security-policy'), "default-src 'none'");
    t.is(bytes.subarray(1, 4).toString(), 'PNG');
    t.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], type === 'image/gif' ? [1, 1] : [96, 48]);
    t.false(bytes.includes('smuggled'));
  });
}

test.serial('the logo of a connected app is shown to its owner alone, from our own store', async (t) => {
  const host = await openDocumentHost(t);
  host.answerWith(sendPicture('image/png', samplePng(64, 64)));
  const clientId = await register(host.urlOf('/logo.png').href);
  const { browser } = await addOwner(stack);
  const { browser: other } = await addOwner(stack);
  const { grantId } = await connectApp({ endpoints, browser }, { clientId });
  await connectApp({ endpoints, browser: other });
  await waitFor(async () => (await logosOf(browser))[0], { timeoutMilliseconds: 20_000 });
  await host.close();

  const path = `${connectedAppsPath}/${grantId}/logo`;
  t.deepEqual(picturesOf(await browser.get('/settings/apps')), [path]);
  const { response, bytes } = await load(browser, path);
  t.like(response, { status: 200 });
  t.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [64, 64]);
  t.deepEqual(picturesOf(await other.get('/settings/apps')), []);
  t.is((await load(other, path)).response.status, 204);
  t.is((await load(createPageBrowser(stack.baseUrl), path)).response.status, 401);
});

const hostile: Record<string, RequestListener> = {
  'SVG, which may hold script': sendPicture('image/svg+xml', Buffer.from('<svg width="9" height="9"/>')),
  'SVG that calls itself PNG': sendPicture('image/png', Buffer.from('<svg width="9" height="9"/>')),
  'a page': sendPicture('image/png', Buffer.from('<!doctype html><script>alert(1)</script>')),
  nothing: sendPicture('image/png', Buffer.alloc(0)),
  'a picture that ends in the middle': sendPicture('image/png', samplePng(64, 64).subarray(0, 90)),
  'a picture of 64 million pixels in 260 kB': sendPicture('image/png', samplePng(8_000, 8_000)),
  'a picture whose colour profile unpacks to 200 MB': sendPicture(
    'image/png',
    samplePng(64, 64, 200_000_000),
  ),
  'a picture of 4.2 million pixels': sendPicture('image/png', samplePng(2_049, 2_048)),
  'a picture in another format': sendPicture('image/png', sampleBitmap()),
  'more bytes than a logo has': sendPicture(
    'image/png',
    Buffer.concat([samplePng(9, 9), Buffer.alloc(600_000)]),
  ),
  'a redirect': (_req, res) => res.writeHead(302, { Location: 'https://elsewhere.example/' }).end(),
  'an error': (_req, res) => res.writeHead(500).end(),
  'no response in time': () => {},
};

for (const [what, answer] of Object.entries(hostile)) {
  test.serial(`a logo that is ${what} leaves the initial, and the app can be connected`, async (t) => {
    const host = await openDocumentHost(t);
    host.answerWith(answer);
    const clientId = await register(host.urlOf('/logo.png').href);
    const { browser } = await addOwner(stack);
    const page = await openConsent(browser, clientId);
    t.true(page.markup.includes('data-initial="T"'));
    const { response, bytes } = await load(browser, picturesOf(page)[0] ?? '');
    t.deepEqual([response.status, bytes.length], [204, 0]);
    t.is(host.requests.length, 1);
    await connectApp({ endpoints, browser }, { clientId });
    t.deepEqual(await logosOf(browser), [false]);
    t.is(host.requests.length, 1, 'a failure is not tried again at once');
  });
}

/** What may not be asked, whatever the host would answer. */
const unasked: Record<string, (host: DocumentHost) => URL> = {
  'a host with a private address': (host) =>
    new URL(`https://private.example:${host.urlOf('/').port}/logo.png`),
  'an address without a name': (host) => new URL(`https://127.0.0.1:${host.urlOf('/').port}/logo.png`),
  'a host without TLS': (host) => new URL(`http://client.example:${host.urlOf('/').port}/logo.png`),
  'a host with user information': (host) =>
    new URL(`https://user:secret@client.example:${host.urlOf('/').port}/logo.png`),
};

for (const [what, urlOf] of Object.entries(unasked)) {
  test.serial(`a logo at ${what} is never asked for`, async (t) => {
    const host = await openDocumentHost(t);
    host.answerWith(sendPicture('image/png', samplePng(9, 9)));
    const { browser } = await addOwner(stack);
    const page = await openConsent(browser, await register(urlOf(host).href));
    for (const path of picturesOf(page)) t.is((await load(browser, path)).response.status, 204);
    t.is(host.connections, 0);
  });
}

test.serial('nobody’s logo is asked for before somebody is signed in, nor twice', async (t) => {
  const host = await openDocumentHost(t);
  host.answerWith(sendPicture('image/png', samplePng(9, 9)));
  const clientId = await register(host.urlOf('/logo.png').href);
  const visitor = createPageBrowser(stack.baseUrl);
  const url = endpoints.authorizeUrl(authorizationRequest(clientId).parameters);
  const signIn = await visitor.follow(await visitor.get(url));
  t.is(signIn.heading, 'Sign in');
  t.deepEqual(picturesOf(signIn), []);
  const returnTo = new Map(signIn.form('/sign-in').fields).get('return_to');
  t.is((await load(visitor, `${returnTo}/logo`)).response.status, 204);
  t.is(host.connections, 0);

  for (const _person of [1, 2]) {
    const { browser } = await addOwner(stack);
    const [path = ''] = picturesOf(await openConsent(browser, clientId));
    t.is((await load(browser, path)).response.status, 200);
  }
  t.is(host.requests.length, 1);
});

/** What a picture could do that took over the process that decodes it. */
async function takeOver(code: string): Promise<string> {
  const script = `${code}
    .then((value) => 'done: ' + value, (error) => error.code ?? error.name)
    .then((outcome) => process.stdout.write(outcome))`;
  const output = await runWithoutRights(['--input-type=module', '--eval', script], Buffer.alloc(0));
  return output.toString();
}

test('code in the decoder of logos does nothing but compute', async (t) => {
  t.is(await takeOver('Promise.resolve(6 * 7)'), 'done: 42');
});

const reading = (file: string) =>
  `import('node:fs/promises').then((fs) => fs.readFile(${JSON.stringify(file)}, 'utf8'))`;
const files = {
  'reads no file of the system': reading('/etc/passwd'),
  'reads no source of the service': reading(import.meta.filename),
  'writes no file': `import('node:fs/promises').then((fs) => fs.writeFile('/tmp/from-a-logo', 'x'))`,
  'starts no program': `import('node:child_process').then(({ execFileSync }) => execFileSync('/bin/true'))`,
  'starts no thread': `import('node:worker_threads').then(({ Worker }) => new Worker('1', { eval: true }))`,
};

for (const [what, code] of Object.entries(files))
  test(`code in the decoder of logos ${what}`, async (t) => {
    t.is(await takeOver(code), 'ERR_ACCESS_DENIED');
  });

test('code in the decoder of logos reaches no host', async (t) => {
  let requests = 0;
  const server = createServer((_req, res) => {
    requests += 1;
    res.end();
  });
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  const url = JSON.stringify(`http://127.0.0.1:${port}/`);
  const asked = `import('node:http').then((http) => new Promise((resolve, reject) =>
    http.get(${url}, () => resolve('asked')).on('error', reject)))`;
  t.is(await takeOver(asked), 'ERR_ACCESS_DENIED');
  t.is(requests, 0);
});

test('code in the decoder of logos has 96 MB of WebAssembly, and no secrets of the service', async (t) => {
  t.is(
    await takeOver(`Promise.resolve().then(() => new WebAssembly.Memory({ initial: 1 }).grow(1_500))`),
    'done: 1',
  );
  t.is(
    await takeOver(`Promise.resolve().then(() => new WebAssembly.Memory({ initial: 1 }).grow(1_600))`),
    'RangeError',
  );
  t.is(await takeOver('Promise.resolve(Object.keys(process.env).join())'), 'done: ');
});
