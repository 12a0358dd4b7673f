import test from 'ava';
import { canonicalResource } from '#shared/http/protected-resource-urls.ts';
import { startStack } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';

const stack = await startStack(undefined, { withAuthServer: true });
test.after.always(() => stack.close());
const { baseUrl, site } = stack;
const serverPath = '/.well-known/oauth-authorization-server';
const resourcePath = '/.well-known/oauth-protected-resource';
const resourcePaths = ['', '/api/public/v1', '/mcp'];
const documentPaths = [serverPath, ...resourcePaths.map((path) => `${resourcePath}${path}`)];
test('authorization server metadata lists what is served, and nothing else (RFC 8414 §2)', async (t) => {
  const { body } = await site.get(serverPath);
  t.deepEqual(body, {
    issuer: baseUrl,
    authorization_endpoint: `${baseUrl}/oauth/authorize`,
    token_endpoint: `${baseUrl}/oauth/token`,
    registration_endpoint: `${baseUrl}/oauth/register`,
    revocation_endpoint: `${baseUrl}/oauth/revoke`,
    jwks_uri: `${baseUrl}/oauth/jwks`,
    scopes_supported: ['read', 'write'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${baseUrl}/api/public/v1/docs`,
  });
});

test('the published keys are public, and fit for ES256 alone (RFC 7517 §4)', async (t) => {
  const { body } = await site.get<{ keys: Record<string, string>[] }>('/oauth/jwks');
  t.true(body.keys.length >= 1);
  for (const key of body.keys) {
    t.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    t.like(key, { alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' });
  }
  t.is(new Set(body.keys.map(({ kid }) => kid)).size, body.keys.length);
});

for (const path of resourcePaths) {
  test(`the document of ${path || 'the host'} names the URL it was made from (RFC 9728 §3.3)`, async (t) => {
    const { body } = await site.get(`${resourcePath}${path}`);
    t.deepEqual(body, {
      resource: `${baseUrl}${path}`,
      authorization_servers: [baseUrl],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Task Management',
      resource_documentation: `${baseUrl}/api/public/v1/docs`,
    });
  });
}

for (const path of documentPaths) {
  test(`${path} may be cached for minutes, and is only read`, async (t) => {
    const [got, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(`${baseUrl}${path}`, { method })),
    );
    t.deepEqual([head?.status, await head?.text()], [200, '']);
    for (const name of ['cache-control', 'content-type', 'content-length', 'access-control-allow-origin'])
      t.is(head?.headers.get(name), got?.headers.get(name));
    t.is(got?.headers.get('cache-control'), 'public, max-age=300');
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${baseUrl}${path}`, { method });
      t.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'], method);
    }
  });
}

test('any other well-known path is 404 in JSON, readable by pages of any origin', async (t) => {
  const paths = words(`/ /api /api/public /api/public/v1/ /api/public/v1/me /api/public/v2 /mcp/ /MCP /sse
    //mcp /%6dcp /mcp%2f /oauth/authorize .json`).map((path) => `${resourcePath}${path}`);
  for (const path of [...paths, `${serverPath}/`, `${serverPath}/mcp`, `${serverPath}/oauth`]) {
    const response = await fetch(`${baseUrl}${path}`);
    t.is(response.status, 404, path);
    t.is(response.headers.get('access-control-allow-origin'), '*', path);
    t.like(await response.json(), { errorCode: 'not_found' });
  }
});

/** Where oidc-provider would serve what is off, by its own routes and by those usual elsewhere. */
const absent = {
  'pushed requests (RFC 9126)': '/oauth/par /oauth/request /request /par',
  'user information': '/oauth/userinfo /oauth/me /me /userinfo',
  'introspection (RFC 7662)': '/oauth/introspect /oauth/token/introspection /token/introspection',
  'device codes (RFC 8628)': '/oauth/device /oauth/device/auth /device /device/auth',
  'log-out for clients': '/oauth/session/end /session/end /session/end/confirm /oauth/logout',
  'back-channel requests, challenges': '/oauth/backchannel /backchannel /oauth/challenge /challenge',
  'management of registrations (RFC 7592)': '/oauth/register/app_x /reg /reg/app_x',
  'OpenID discovery': '/.well-known/openid-configuration /.well-known/webfinger /.well-known/jwks.json',
  'oidc-provider’s own paths': '/auth /auth/x /token /jwks /interaction/x /token/revocation /oauth/auth',
  'another spelling of what is served': `/oauth/authorize/ /oauth/token/ /oauth/jwks/ /OAuth/token
    /oauth//token /oauth/%74oken /oauth/./token /oauth/token%00 /oauth/token;x
    /oauth /oauth/ /oauth/interaction/`,
};

for (const [what, paths] of Object.entries(absent)) {
  test(`nothing is served that is not listed: ${what} (RFC 9700 §2.6)`, async (t) => {
    const { host } = new URL(baseUrl);
    const head = `Host: ${host}\r\nConnection: close\r\nContent-Length: 0\r\nAccept: application/json`;
    for (const path of words(paths)) {
      for (const method of ['GET', 'POST']) {
        const answer = await site.raw(`${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
        t.is(answer.status, 404, `${method} ${path}`);
        t.true(answer.body.includes('"not_found"'), `${method} ${path}`);
      }
    }
  });
}

test('each resource may be named with one slash more, and with its host in any case (RFC 8707 §2)', (t) => {
  const base = 'https://tasks.example:8443';
  for (const path of resourcePaths) {
    for (const origin of [base, 'HTTPS://Tasks.Example:8443']) {
      t.is(canonicalResource(`${origin}${path}`, base), `${base}/api/public/v1`);
      t.is(canonicalResource(`${origin}${path}/`, base), `${base}/api/public/v1`);
    }
  }
  const foreign =
    words(`/ https:// tasks.example:8443 ${base.slice(0, -1)} ${base}1 ${base}.evil.example ${base}//
    ${base}/mcp// ${base}/MCP ${base}/mcp?a ${base}/mcp#a ${base}/api ${base}/api/public/v1/me ${base}/%6dcp
    http://tasks.example:8443 https://tasks.example https://evil.example/${base} ${base}@evil.example`);
  for (const value of [...foreign, '', ` ${base}`, `${base}\n`, 'https://tas\u212as.example:8443'])
    t.is(canonicalResource(value, base), undefined, JSON.stringify(value));
});
