import test from 'ava';
import { ownerOfPath } from '#shared/http/path-ownership.ts';

const AUTH_SERVER = [
  '/',
  '/oauth/authorize',
  '/oauth/jwks',
  '/sign-in',
  '/sign-up',
  '/sign-out',
  '/settings',
  '/settings/api',
  '/assets/style.css',
  '/app',
  '/app/',
  '/app/session/token',
  '/app/apiary',
  '/.well-known/oauth-authorization-server',
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/api/public/v1',
  '/.well-known/oauth-protected-resource/mcp',
  '/api/public/v1/auth/token',
];

const RESOURCE_API = [
  '/api/public/v1',
  '/api/public/v1/',
  '/api/public/v1/me',
  '/api/public/v1/openapi.json',
  '/api/public/v1/auth',
  '/api/public/v1/auth/tokens',
  '/mcp',
  '/mcp/',
  '/app/api',
  '/app/api/v1/snapshot',
];

const NOBODY = [
  '',
  '*',
  '//',
  '/api',
  '/api/public/v2/me',
  '/api/public/v1x',
  '/mcpx',
  '/apps',
  '/oauthx/authorize',
  '/settings-old',
  '/.well-known/openid-configuration',
  '/.well-known/oauth-protected-resourceful',
  '/livez',
  '/readyz',
  '/metrics',
  '/favicon.ico',
  'oauth/authorize',
];

const OTHER_SPELLINGS = [
  '/API/public/v1/me',
  '/OAuth/authorize',
  '/%61pi/public/v1/me',
  '/api%2Fpublic%2Fv1/me',
  '/api/public/v1%2Fme',
  '//api/public/v1/me',
  '/./api/public/v1/me',
  '/x/../api/public/v1/me',
  '/x/%2e%2e/oauth/token',
  '/oauth%2e/token',
  '\\oauth\\token',
  '/mcp%00',
  '/mcp;x=1',
];

const owners = {
  'to the auth server': [AUTH_SERVER, 'auth-server'],
  'to the resource API': [RESOURCE_API, 'resource-api'],
  'to nobody': [NOBODY, undefined],
  'to nobody where it only resembles one that is served': [OTHER_SPELLINGS, undefined],
} as const;

for (const [whom, [paths, owner]] of Object.entries(owners)) {
  test(`a path belongs ${whom}`, (t) => {
    for (const path of paths) t.is(ownerOfPath(path), owner, path);
  });
}

test('a dot segment does not lead out of the service that owns the path as it is written', (t) => {
  t.is(ownerOfPath('/oauth/../api/public/v1/me'), 'auth-server');
  t.is(ownerOfPath('/api/public/v1/../../../oauth/token'), 'resource-api');
  t.is(ownerOfPath('/api/public/v1/%2e%2e/%2e%2e/%2e%2e/oauth/token'), 'resource-api');
  t.is(ownerOfPath('/api/public/v1/auth%2Ftoken'), 'resource-api');
  t.is(ownerOfPath('/api/public/v1/auth/./token'), 'resource-api');
});
