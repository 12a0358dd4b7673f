import test from 'ava';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

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
