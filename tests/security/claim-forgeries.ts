import { doubled } from './header-forgeries.ts';
import { type ValidToken, type Written, writeToken } from './written-token.ts';

export type ClaimWorld = { baseUrl: string; apiRoot: string; nowSeconds: number };

/**
 * Claims that must not be believed although our key signed them: another server of ours might, or one of ours might
 * err. What each claim is for is tried in `tests/api/oauth-tokens`; here is what a careless comparison lets through.
 */
export function claimForgeries(valid: ValidToken, world: ClaimWorld): Record<string, string> {
  const claims: Record<string, Written> = {
    ...audiences(world),
    ...issuers(world),
    ...times(world),
    ...absences(),
    'with exp beyond all numbers': JSON.stringify({ ...valid.claims, exp: 0 }).replace(
      '"exp":0',
      '"exp":1e400',
    ),
    ...texts(valid),
    ...doubles(valid, world),
  };
  return Object.fromEntries(
    Object.entries(claims).map(([what, written]) => [what, writeToken(valid, { claims: written })]),
  );
}

function audiences({ apiRoot, baseUrl }: ClaimWorld): Record<string, Written> {
  const { host } = new URL(baseUrl);
  const values = [
    [`${apiRoot}/`, `${apiRoot}2`, apiRoot.slice(0, -1), `${apiRoot}/me`, `${apiRoot}?`, `${apiRoot}#`],
    [
      apiRoot.toUpperCase(),
      apiRoot.replace('http:', 'HTTP:'),
      apiRoot.replace('http:', 'https:'),
      ` ${apiRoot}`,
    ],
    [
      `${baseUrl}/`,
      `${baseUrl}/mcp`,
      '/api/public/v1',
      `//${host}/api/public/v1`,
      `http://${host}.evil.example/api/public/v1`,
    ],
    [apiRoot.replace('/api', '/%61pi'), `${apiRoot} ${baseUrl}`, `${baseUrl} ${apiRoot}`, '*', '.*', ''],
    [[], [baseUrl], [`${apiRoot}/`, baseUrl], [[apiRoot]], [null], { [apiRoot]: true }, null, 0, true],
  ].flat();
  return Object.fromEntries(values.map((aud) => [`aud ${brief(aud, baseUrl)}`, { aud }]));
}

function issuers({ baseUrl, apiRoot }: ClaimWorld): Record<string, Written> {
  const values = [
    [
      baseUrl.toUpperCase(),
      baseUrl.replace('http:', 'https:'),
      `${baseUrl}#`,
      `${baseUrl}?`,
      `${baseUrl}.`,
      ` ${baseUrl}`,
    ],
    [
      baseUrl.slice(0, -1),
      `${baseUrl}0`,
      `${baseUrl}@evil.example`,
      baseUrl.replace('//', '//evil@'),
      apiRoot,
      '',
    ],
    [null, 0, true, { iss: baseUrl }],
  ].flat();
  return Object.fromEntries([
    ...values.map((iss) => [`iss ${brief(iss, baseUrl)}`, { iss }]),
    ['iss as a list', { iss: [baseUrl] }],
  ]);
}

function times({ nowSeconds: now }: ClaimWorld): Record<string, Written> {
  const year = 365 * 86_400;
  return {
    'exp just past the tolerance': { exp: now - 5 },
    'exp years ago': { exp: now - 10 * year },
    'exp of nought': { exp: 0 },
    'a negative exp': { exp: -1 },
    'exp that is null': { exp: null },
    'exp later than any token of ours': { exp: now + 86_401 },
    'exp of 300 digits': { exp: 1e300 },
    'exp in text': { exp: String(now + 600) },
    'exp as a date': { exp: '2030-01-01T00:00:00Z' },
    'exp as a list': { exp: [now + 600] },
    'exp that is true': { exp: true },
    'nbf just past the tolerance': { nbf: now + 6 },
    'nbf in years': { nbf: now + 10 * year },
    'nbf that is null': { nbf: null },
    'nbf in text': { nbf: String(now) },
    'nbf as a list': { nbf: [now] },
    'iat just past the tolerance': { iat: now + 6 },
    'iat in years, exp later': { iat: now + year, exp: now + year + 600 },
    'iat years ago, exp not yet': { iat: now - year, exp: now + 600 },
    'iat of nought': { iat: 0 },
    'a negative iat': { iat: -now },
    'iat in text': { iat: String(now) },
    'iat that is null': { iat: null },
    'iat as a list': { iat: [now] },
  };
}

const required = ['iss', 'aud', 'sub', 'client_id', 'grant_id', 'scope', 'jti', 'iat', 'exp'];

function absences(): Record<string, Written> {
  const entries = required.flatMap((name): [string, Written][] => [
    [`without ${name}`, { [name]: undefined }],
    [`with ${name} that is empty`, { [name]: '' }],
    [`with ${name} that is an object`, { [name]: {} }],
    [`with ${name} that is false`, { [name]: false }],
    [`with ${name} in capitals`, { [name]: undefined, [name.toUpperCase()]: 'x' }],
  ]);
  return {
    ...Object.fromEntries(entries),
    'without any claim': '{}',
    'whose claims are a list': '[]',
    'whose claims are null': 'null',
    'whose claims are text': '"read write"',
    'whose claims are a number': '1',
    'whose claims are empty': '',
    'whose claims are no JSON': '{"sub":',
    'whose claims are two objects': '{}{}',
    'whose claims come by the prototype': '{"__proto__":{"sub":"x"}}',
  };
}

/** Texts that reach the database, or are compared with what is there. */
function texts(valid: ValidToken): Record<string, Written> {
  const { accountId, grantId, clientId } = valid.app;
  const values: Record<string, unknown[]> = {
    sub: [
      `${accountId} `,
      `{${accountId}}`,
      accountId.replaceAll('-', ''),
      '*',
      '%',
      `${accountId}\u0000`,
      [accountId],
    ],
    grant_id: [`${grantId} `, `{${grantId}}`, grantId.slice(1), '%', `${grantId}' or true --`, [grantId]],
    client_id: [
      `${clientId} `,
      clientId.toUpperCase(),
      '%',
      '\u0000',
      `${clientId}\u0000`,
      '\ud800',
      [clientId],
    ],
    jti: ['\u0000', 'a\u0000b', '\ud800', ['x'], { $ne: null }],
    scope: ['\u0000', 'read\u0000', ['read'], { read: true }, 7, null],
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, some]) =>
      some.map((value) => [
        `${name} ${JSON.stringify(value).replace(accountId, 'ours').replace(grantId, 'ours').replace(grantId.slice(1), 'cut')}`,
        { [name]: value },
      ]),
    ),
  );
}

/** RFC 7519 §4: of a member given twice the last counts, and nothing that reads the token takes the first. */
function doubles(valid: ValidToken, { baseUrl }: ClaimWorld): Record<string, Written> {
  const claims = { ...valid.claims, jti: 'doubled' };
  const last = {
    iss: 'https://evil.example',
    aud: baseUrl,
    sub: '00000000-0000-4000-8000-000000000000',
    grant_id: '00000000-0000-4000-8000-000000000000',
    client_id: 'app_other',
    scope: null,
    exp: 1,
    iat: null,
    jti: null,
  };
  return Object.fromEntries(
    Object.entries(last).map(([name, value]) => [
      `${name} given twice, the last wrong`,
      doubled(claims, `"${name}":${JSON.stringify(value)}`),
    ]),
  );
}

/** The address is another in every run. */
function brief(value: unknown, baseUrl: string): string {
  return JSON.stringify(value)
    .replaceAll(baseUrl, '{base_url}')
    .replaceAll(new URL(baseUrl).host, '{host}')
    .replace(/127\.0\.0\.1:\d+/gi, '{host}');
}
