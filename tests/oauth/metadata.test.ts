import test from 'ava';
import * as oauth from 'oauth4webapi';
import { canonicalResource } from '#shared/http/protected-resource-urls.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test, { withAuthServer: true });
const { baseUrl } = stack;
const serverPath = '/.well-known/oauth-authorization-server';
const resourcePath = '/.well-known/oauth-protected-resource';
const resourcePaths = ['', '/api/public/v1', '/mcp'];
const documentPaths = [serverPath, ...resourcePaths.map((path) => `${resourcePath}${path}`)];

test('authorization server metadata lists what is served, and nothing else (RFC 8414 §2)', async (t) => {
  const response = await fetch(`${baseUrl}${serverPath}`);
  t.is(response.status, 200);
  t.regex(response.headers.get('content-type') ?? '', /^application\/json/);
  t.deepEqual(await response.json(), {
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

for (const path of resourcePaths) {
  test(`the document of ${path || 'the host'} names the URL it was made from (RFC 9728 §3.3)`, async (t) => {
    const response = await fetch(`${baseUrl}${resourcePath}${path}`);
    t.is(response.status, 200);
    t.deepEqual(await response.json(), {
      resource: `${baseUrl}${path}`,
      authorization_servers: [baseUrl],
      scopes_supported: ['read', 'write'],
      bearer_methods_supported: ['header'],
      resource_name: 'Task Management',
      resource_documentation: `${baseUrl}/api/public/v1/docs`,
    });
  });

  test(`a client library that knows ${path || 'the host'} alone discovers the rest`, async (t) => {
    const insecure = { [oauth.allowInsecureRequests]: true };
    const resource = new URL(`${baseUrl}${path}`);
    const described = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, insecure),
    );
    const issuer = new URL(described.authorization_servers?.[0] ?? '');
    const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
    t.is((await oauth.processDiscoveryResponse(issuer, response)).issuer, baseUrl);
  });
}

for (const path of documentPaths) {
  test(`${path} may be kept for minutes, and HEAD answers like GET`, async (t) => {
    const [got, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) => fetch(`${baseUrl}${path}`, { method })),
    );
    t.is(head?.status, 200);
    t.is(await head?.text(), '');
    for (const name of ['cache-control', 'content-type', 'content-length', 'access-control-allow-origin']) {
      t.truthy(got?.headers.get(name), name);
      t.is(head?.headers.get(name), got?.headers.get(name));
    }
    t.is(got?.headers.get('cache-control'), 'public, max-age=300');
  });

  test(`${path} answers pages of any origin, and the preflight of any header`, async (t) => {
    const origin = 'https://inspector.example';
    const preflight = await fetch(`${baseUrl}${path}`, {
      method: 'OPTIONS',
      headers: {
        Origin: origin,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'mcp-protocol-version,x-anything',
      },
    });
    t.is(preflight.status, 204);
    t.is(preflight.headers.get('access-control-allow-headers'), 'mcp-protocol-version,x-anything');
    t.is(preflight.headers.get('access-control-allow-methods'), 'GET, HEAD');
    t.is(preflight.headers.get('access-control-max-age'), '86400');
    const plain = await fetch(`${baseUrl}${path}`, { method: 'OPTIONS', headers: { Origin: origin } });
    t.deepEqual([plain.status, plain.headers.get('access-control-allow-headers')], [204, null]);
    const got = await fetch(`${baseUrl}${path}`, { headers: { Origin: origin } });
    for (const { headers } of [preflight, got]) {
      t.is(headers.get('access-control-allow-origin'), '*');
      t.is(headers.get('access-control-allow-credentials'), null);
      t.is(headers.get('access-control-expose-headers'), 'Retry-After, WWW-Authenticate, X-Request-Id');
    }
  });

  test(`${path} is only read`, async (t) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      const response = await fetch(`${baseUrl}${path}`, { method });
      t.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD'], method);
    }
  });
}

test('any other path is answered 404 in JSON, readable by pages of any origin', async (t) => {
  const paths = [
    ...[
      '/',
      '/api',
      '/api/public',
      '/api/public/v1/',
      '/api/public/v1/me',
      '/api/public/v2',
      '/mcp/',
      '/MCP',
      '/sse',
    ],
    ...['//mcp', '/%6dcp', '/mcp%2f', '/oauth/authorize', '.json'],
  ];
  const others = [
    `${serverPath}/`,
    `${serverPath}/mcp`,
    `${serverPath}/api/public/v1`,
    `${serverPath}/oauth`,
  ];
  for (const path of [...paths.map((path) => `${resourcePath}${path}`), ...others]) {
    const response = await fetch(`${baseUrl}${path}`);
    t.is(response.status, 404, path);
    t.regex(response.headers.get('content-type') ?? '', /json/, path);
    t.is(response.headers.get('access-control-allow-origin'), '*', path);
    t.like(await response.json(), { errorCode: 'not_found' });
  }
});

test('there is no OpenID provider to be found', async (t) => {
  for (const path of [
    '/.well-known/openid-configuration',
    '/oauth/openid-configuration',
    '/.well-known/jwks.json',
  ])
    t.is((await fetch(`${baseUrl}${path}`)).status, 404, path);
});

test('nothing a request says of itself gets into the documents', async (t) => {
  for (const path of documentPaths) {
    const plain = await (await fetch(`${baseUrl}${path}`)).text();
    const forged = await fetch(`${baseUrl}${path}?issuer=https://evil.example`, {
      headers: {
        'X-Forwarded-Host': 'evil.example',
        'X-Forwarded-Proto': 'gopher',
        Forwarded: 'host=evil.example',
      },
    });
    t.is(await forged.text(), plain);
  }
});

test('each resource may be named with one slash more, and with its host in any case (RFC 8707 §2)', (t) => {
  const base = 'https://tasks.example:8443';
  const audience = `${base}/api/public/v1`;
  for (const path of resourcePaths) {
    for (const origin of [base, 'HTTPS://Tasks.Example:8443', 'https://TASKS.EXAMPLE:8443']) {
      t.is(canonicalResource(`${origin}${path}`, base), audience);
      t.is(canonicalResource(`${origin}${path}/`, base), audience);
    }
  }
  const foreign = [
    ...[
      '',
      '/',
      'https://',
      'tasks.example:8443',
      base.slice(0, -1),
      `${base}1`,
      `${base}.evil.example`,
      `${base}//`,
    ],
    ...[
      `${base}/mcp//`,
      `${base}/MCP`,
      `${base}/mcp?a`,
      `${base}/mcp#a`,
      `${base}/api`,
      `${base}/api/public/v1/me`,
    ],
    ...[
      `${base}/api/public/V1`,
      `${base}/%6dcp`,
      ` ${base}`,
      `${base} `,
      `${base}\n`,
      'http://tasks.example:8443',
    ],
    ...[
      'https://tasks.example',
      'https://tas\u212as.example:8443',
      `https://evil.example/${base}`,
      `${base}@evil.example`,
    ],
  ];
  for (const value of foreign) t.is(canonicalResource(value, base), undefined, JSON.stringify(value));
});
