import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import type { JsonObject, Problem } from '#tests/support/api-types.ts';
import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import { startStack } from '#tests/support/stack.ts';
import { find } from './read-document.ts';

const stack = await startStack(test);
const documentPath = '/openapi.json';
const goldenFile = new URL('./openapi.golden.json', import.meta.url);

/** The document as it would be served on a host that is the same for every run. */
async function normalisedDocument(): Promise<string> {
  const { body } = await stack.anonymous.get(documentPath);
  return JSON.stringify(body, null, 2).replaceAll(stack.baseUrl, 'https://tasks.test');
}

test('the document is served to anyone, from any origin', async (t) => {
  const { status, headers, body } = await stack.anonymous.get(documentPath, {
    headers: { Origin: 'https://elsewhere.test' },
  });
  t.is(status, 200);
  t.is(headers.get('content-type'), 'application/json; charset=utf-8');
  t.is(headers.get('access-control-allow-origin'), '*');
  t.like(body, { openapi: '3.1.1', info: { version: 'v1' }, servers: [{ url: stack.baseUrl }] });
});

test('an unchanged document is not sent again', async (t) => {
  const first = await stack.anonymous.get(documentPath);
  t.is(first.headers.get('cache-control'), 'public, no-cache');
  // fetch adds «no-cache» to a conditional request of its user's, which asks for the whole answer.
  const getUnless = (etag: string) => {
    const { host, pathname } = new URL(stack.apiRoot + documentPath);
    const headers = [`Host: ${host}`, `If-None-Match: ${etag}`, 'Connection: close'];
    return stack.anonymous.raw([`GET ${pathname} HTTP/1.1`, ...headers, '', ''].join('\r\n'));
  };
  t.is((await getUnless(first.headers.get('etag') ?? '')).status, 304);
  t.is((await getUnless('W/"other"')).status, 200);
});

test('the document is sent compressed to those who can read it', async (t) => {
  const get = (encoding: string) =>
    stack.anonymous.get<JsonObject>(documentPath, { headers: { 'Accept-Encoding': encoding } });
  const [compressed, plain] = [await get('gzip'), await get('identity')];
  t.is(compressed.headers.get('content-encoding'), 'gzip');
  t.is(plain.headers.get('content-encoding'), null);
  t.is(compressed.headers.get('vary'), 'Accept-Encoding');
  t.deepEqual(compressed.body, plain.body);
  t.true(Number(compressed.headers.get('content-length')) < Number(plain.headers.get('content-length')) / 4);
});

test('the document answers GET and HEAD alone', async (t) => {
  const head = await stack.anonymous.request('HEAD', documentPath);
  t.is(head.status, 200);
  const refused = await stack.anonymous.request<Problem>('POST', documentPath, { body: {} });
  t.is(refused.status, 405);
  t.is(refused.headers.get('allow'), 'GET, HEAD');
  t.is(refused.body.errorCode, 'method_not_allowed');
  t.is((await stack.anonymous.get(`${documentPath}/`)).status, 404);
});

test('the served document satisfies the recommended rules of the linter', async (t) => {
  const { problems, totals } = await lintDocument(await normalisedDocument());
  t.deepEqual(problems, []);
  t.deepEqual(totals, { errors: 0, warnings: 0, ignored: 0 });
});

/*
 * The golden file makes a change of the contract show in review. A wanted change renews it:
 * UPDATE_GOLDEN=1 npm test -- tests/openapi/served-document.test.ts
 */
test('the served document is the one that was reviewed', async (t) => {
  const document = `${await normalisedDocument()}\n`;
  if (process.env.UPDATE_GOLDEN === '1') await writeFile(goldenFile, document);
  t.deepEqual(
    JSON.parse(document),
    JSON.parse(await readFile(goldenFile, 'utf8')),
    'a wanted change is recorded with UPDATE_GOLDEN=1',
  );
});

test('the task that the document shows is one that can be made', async (t) => {
  const { body: document } = await stack.anonymous.get<OpenApiDocument>(documentPath);
  const { value: example } = find<JsonObject>(document, '/components/schemas/Task/examples/0');
  const { value: writable } = find<JsonObject>(document, '/components/schemas/TaskPatch/properties');
  const api = await stack.newClient({ plan: 'premium' });
  const sent = Object.fromEntries(Object.keys(writable).map((name) => [name, example[name]]));
  const { body: made } = await api.post('/tasks', sent);
  t.deepEqual(Object.keys(made), Object.keys(example));
  const { id, createdAt, updatedAt } = made;
  t.like(made, { ...example, id, createdAt, updatedAt, checklist: made.checklist });
});

test('the guide’s mirror holds every task as it is now', async (t) => {
  const { body: document } = await stack.anonymous.get<JsonObject>(documentPath);
  const [, program = ''] = /```js\n(.*?)```/s.exec(Object(document.info).description) ?? [];
  const api = await stack.newClient();
  await api.post('/tasks', { title: 'kept' });
  const { body: deleted } = await api.post('/tasks', { title: 'deleted' });
  await api.delete(`/tasks/${deleted.id}`);
  const shown = 'await poll(); await poll(); console.log(JSON.stringify([...tasks.values()]));';
  const env = { ...process.env, API_TOKEN: api.token.secret };
  const arguments_ = ['--input-type=module', '--eval', program + shown];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_, { env });
  const { body } = await api.get<{ items: unknown[] }>('/tasks?view=all');
  t.is(body.items.length, 2);
  t.deepEqual(JSON.parse(stdout), body.items);
});

const redocly = fileURLToPath(import.meta.resolve('@redocly/cli/bin/cli.js'));

type LintReport = {
  totals: { errors: number; warnings: number; ignored: number };
  problems: { ruleId: string; message: string; location: { pointer?: string }[] }[];
};

/** What Redocly's recommended rules say of a document, without network and away from configurations. */
async function lintDocument(json: string): Promise<LintReport> {
  const directory = await mkdtemp(path.join(tmpdir(), 'lint-openapi-'));
  try {
    await writeFile(path.join(directory, 'openapi.json'), json);
    return JSON.parse(await runRedocly(directory));
  } finally {
    await rm(directory, { recursive: true });
  }
}

function runRedocly(directory: string): Promise<string> {
  const command = [redocly, 'lint', 'openapi.json', '--extends=recommended', '--format=json'];
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, command, { cwd: directory, env }, (failure, stdout, stderr) => {
      // A document with problems ends the linter with 1, and is reported all the same.
      if (stdout.startsWith('{')) resolve(stdout);
      else reject(failure ?? new Error(`redocly said: ${stdout} ${stderr}`));
    });
  });
}

async function page(): Promise<{ headers: Headers; html: string }> {
  const { headers, body } = await stack.anonymous.get<string>('/docs');
  return { headers, html: body };
}

/** What the page loads, as the browser resolves it. */
function assetsOf(html: string): string[] {
  const urls = [...html.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
  return urls.map((url) => new URL(url, `${stack.apiRoot}/docs`).href);
}

test('the page allows nothing but what comes from its own host, and no script inside itself', async (t) => {
  const { headers, html } = await page();
  t.is(headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(headers.get('x-content-type-options'), 'nosniff');
  const policy = Object.fromEntries(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name, ...sources] = directive.split(' ');
      return [name, sources.join(' ')];
    }),
  );
  t.deepEqual(policy, {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data:",
    'connect-src': "'self'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });
  t.notRegex(html, /<script(?![^>]* src=)|<style| style=| on\w+=/);
});

test('everything the page loads is there, of the right type, and may be kept for ever', async (t) => {
  const { html } = await page();
  const assets = assetsOf(html);
  t.is(assets.length, 4);
  const types: Record<string, string> = {
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    svg: 'image/svg+xml',
  };
  for (const asset of assets) {
    t.true(asset.startsWith(`${stack.apiRoot}/docs/assets/`), asset);
    const response = await fetch(asset);
    t.is(response.status, 200, asset);
    t.is(response.headers.get('content-type'), types[asset.split('.').at(-1) ?? ''] ?? '', asset);
    t.is(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
    t.is(response.headers.get('x-content-type-options'), 'nosniff');
    t.true((await response.arrayBuffer()).byteLength > 100);
  }
});

test('an asset of another version or an unknown one is not found', async (t) => {
  const [asset = ''] = assetsOf((await page()).html);
  const unknown = [
    asset.replace(/assets\/[^/]+/, 'assets/another-version'),
    `${asset}.map`,
    asset.replace(/[^/]+$/, 'index.html'),
    asset.replace(/[^/]+$/, '..%2f..%2fpackage.json'),
    `${stack.apiRoot}/docs/assets/`,
  ];
  for (const url of unknown) {
    const response = await fetch(url);
    t.is(response.status, 404, url);
    t.like(await response.json(), { errorCode: 'not_found' });
  }
});

test('the page leads to where personal tokens are made', async (t) => {
  t.regex((await page()).html, /<a href="\/settings\/api">/);
  const { body } = await stack.anonymous.get<{ info: { description: string } }>('/openapi.json');
  for (const path of ['/settings/api', '/settings/apps'])
    t.true(body.info.description.includes(`(${stack.baseUrl}${path})`), path);
});

for (const path of ['/docs', '/openapi.json'])
  test(`${path} of the host leads to that of the API`, async (t) => {
    const shortcut = await stack.site.get(path);
    t.is(shortcut.status, 308);
    t.is(shortcut.headers.get('location'), `/api/public/v1${path}`);
    const { status, url } = await fetch(stack.baseUrl + path);
    t.is(status, 200);
    t.is(url, stack.apiRoot + path);
    const refused = await stack.site.request('POST', path, { body: {} });
    t.is(refused.status, 405);
    t.is(refused.headers.get('allow'), 'GET, HEAD');
    t.is((await stack.site.get(`${path}/`)).status, 404);
  });

test('the page has one address; the one with a slash leads there', async (t) => {
  const slash = await stack.anonymous.get('/docs/');
  t.is(slash.status, 308);
  t.is(slash.headers.get('location'), '../docs');
  t.is((await fetch(`${stack.apiRoot}/docs/`)).url, `${stack.apiRoot}/docs`);
  t.is((await stack.anonymous.get('/Docs')).status, 404);
  const refused = await stack.anonymous.delete('/docs');
  t.is(refused.status, 405);
  t.is(refused.headers.get('allow'), 'GET, HEAD');
});
