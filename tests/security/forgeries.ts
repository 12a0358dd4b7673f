import { createHmac, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { signWith, type ValidToken, type Written, writeToken } from './written-token.ts';

type ForgeryWorld = {
  baseUrl: string;
  apiRoot: string;
  nowSeconds: number;
  keyId: string;
  publicKey: KeyObject;
};

/** Access tokens with one fault each, by the part that has it. */
export function forgeriesOf(valid: ValidToken, world: ForgeryWorld): Record<string, Record<string, string>> {
  const withClaims = ([what, claims]: [string, Written]) => [what, writeToken(valid, { claims })];
  const claims = { ...audiences(world), ...issuers(world), ...times(world), ...absences(), ...texts(valid) };
  return {
    header: {
      ...unsigned(valid),
      ...keyConfusion(valid, world.publicKey),
      ...otherAlgorithms(valid),
      ...keyNames(valid, world.keyId),
      ...ownKeys(valid),
      ...extensionsAndTypes(valid),
    },
    claims: Object.fromEntries(Object.entries(claims).map(withClaims)),
    signature: signatures(valid),
    shape: shapes(valid),
  };
}

/** RFC 8725 §2.1 and §3.1: no algorithm, in any spelling, with any signature. */
function unsigned(valid: ValidToken): Record<string, string> {
  const spellings = ['none', 'nOnE', 'none ', ''];
  return Object.fromEntries(
    spellings.flatMap((alg) => [
      [`alg ${JSON.stringify(alg)} and no signature`, writeToken(valid, { header: { alg }, sign: () => '' })],
      [`alg ${JSON.stringify(alg)} and a good signature`, writeToken(valid, { header: { alg } })],
    ]),
  );
}

/** RFC 8725 §2.1: the public key, which everybody has, taken for a shared secret. */
function keyConfusion(valid: ValidToken, publicKey: KeyObject): Record<string, string> {
  const secrets: Record<string, string | Buffer> = {
    PEM: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    DER: publicKey.export({ type: 'spki', format: 'der' }),
    JWK: JSON.stringify(publicKey.export({ format: 'jwk' })),
  };
  return Object.fromEntries(
    Object.entries(secrets).map(([form, secret]) => [
      `HS256 with the public key’s ${form} as the secret`,
      writeToken(valid, {
        header: { alg: 'HS256' },
        sign: (input) => createHmac('sha256', secret).update(input).digest(),
      }),
    ]),
  );
}

/** RFC 8725 §3.1: another algorithm than ours, with our own signature and with a key that fits it. */
function otherAlgorithms(valid: ValidToken): Record<string, string> {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const fitting = [
    ['RS256', signWith(rsa)],
    ['ES384', signWith(generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey, 'sha384')],
    ['ES256K', signWith(generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey)],
    ['EdDSA', signWith(generateKeyPairSync('ed25519').privateKey, null)],
  ] as const;
  const malformed = [undefined, null, 256, ['ES256'], 'es256', 'ES256 '];
  return Object.fromEntries([
    ...fitting.flatMap(([alg, sign]) => [
      [`alg ${alg} and a signature of its kind`, writeToken(valid, { header: { alg }, sign })],
      [`alg ${alg} and our own signature`, writeToken(valid, { header: { alg } })],
      [`alg ES256 and a signature of ${alg}`, writeToken(valid, { sign })],
    ]),
    ...malformed.map((alg) => [`alg ${JSON.stringify(alg)}`, writeToken(valid, { header: { alg } })]),
  ]);
}

/** RFC 7515 §10.10 and RFC 8725 §3.10: a key’s name is a name, not a path, a query or an address. */
function keyNames(valid: ValidToken, keyId: string): Record<string, string> {
  const names = [
    ['../../../../dev/null', `${keyId}' or true --`, '%', 'http://127.0.0.1:1/key', '__proto__'],
    ['', `${keyId} `, keyId.toUpperCase(), keyId.slice(0, -1), `${keyId}\u0000`, 'k'.repeat(8_000)],
    [null, 0, [keyId], { kid: keyId }],
  ].flat();
  return Object.fromEntries(
    names.map((kid) => [
      `kid ${JSON.stringify(kid).replaceAll(keyId, 'ours').slice(0, 60)}`,
      writeToken(valid, { header: { kid } }),
    ]),
  );
}

/** RFC 8725 §3.10: a token brings its own key, or says where to find one. */
function ownKeys(valid: ValidToken): Record<string, string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
  const url = 'https://evil.example/jwks';
  const keys = {
    jwk: { jwk },
    jku: { jku: url },
    x5u: { x5u: url },
    x5c: { x5c: [publicKey.export({ type: 'spki', format: 'der' }).toString('base64')] },
  };
  const names = { 'our kid': valid.header.kid, 'no kid': undefined, 'a kid of its own': 'attacker' };
  return Object.fromEntries(
    Object.entries(keys).flatMap(([what, header]) =>
      Object.entries(names).map(([name, kid]) => [
        `its own ${what} beside ${name}`,
        writeToken(valid, { header: { ...header, kid }, sign: signWith(privateKey) }),
      ]),
    ),
  );
}

/** RFC 7515 §4.1.11, RFC 7797 §7: what is critical must be understood. RFC 9068 §4: no access token. */
function extensionsAndTypes(valid: ValidToken): Record<string, string> {
  const headers: Record<string, Written> = {
    'an unknown critical extension': { crit: ['x'], x: 1 },
    'a critical claim': { crit: ['exp'], exp: 9_999_999_999 },
    'b64 false': { crit: ['b64'], b64: false },
    'a header that is a list': '[]',
    'a header that is null': 'null',
    'a header that is no JSON': '{"alg":"ES256"',
    'alg given twice, the last none': doubled(valid.header, '"alg":"none"'),
    'typ given twice, the last another': doubled(valid.header, '"typ":"JWT"'),
  };
  const types = ['jwt', 'id_token', 'logout+jwt', 'at+jwt ', 'x/at+jwt', '', null, ['at+jwt']];
  for (const typ of types) headers[`typ ${JSON.stringify(typ)}`] = { typ };
  return Object.fromEntries(
    Object.entries(headers).map(([what, header]) => [what, writeToken(valid, { header })]),
  );
}

/*
 * Claims that must not be believed although our key signed them. What each claim is for is tried in
 * `tests/api/oauth-tokens`; here is what a careless comparison lets through.
 */

function audiences({ apiRoot, baseUrl }: ForgeryWorld): Record<string, Written> {
  const wrong = {
    'with a slash behind it': `${apiRoot}/`,
    'one digit longer': `${apiRoot}2`,
    'in capitals': apiRoot.toUpperCase(),
    'of another scheme': apiRoot.replace('http:', 'https:'),
    'of the assistant server': `${baseUrl}/mcp`,
    'that is a path': '/api/public/v1',
    'of two in one text': `${apiRoot} ${baseUrl}`,
    'with a pattern': '.*',
    'that is empty': '',
    'that is an empty list': [],
    'in a list of lists': [[apiRoot]],
    'that is an object': { [apiRoot]: true },
  };
  return Object.fromEntries(Object.entries(wrong).map(([what, aud]) => [`an audience ${what}`, { aud }]));
}

function issuers({ baseUrl, apiRoot }: ForgeryWorld): Record<string, Written> {
  const wrong = {
    'in capitals': baseUrl.toUpperCase(),
    'one digit longer': `${baseUrl}0`,
    'with user info': baseUrl.replace('//', '//evil@'),
    'that is the audience': apiRoot,
    'that is empty': '',
    'in a list': [baseUrl],
  };
  return Object.fromEntries(Object.entries(wrong).map(([what, iss]) => [`an issuer ${what}`, { iss }]));
}

function times({ nowSeconds: now }: ForgeryWorld): Record<string, Written> {
  const year = 365 * 86_400;
  return {
    'exp just past the tolerance': { exp: now - 5 },
    'exp of nought': { exp: 0 },
    'exp later than any token of ours': { exp: now + 86_401 },
    'exp in text': { exp: String(now + 600) },
    'exp that is true': { exp: true },
    'nbf just past the tolerance': { nbf: now + 6 },
    'nbf in text': { nbf: String(now) },
    'iat just past the tolerance': { iat: now + 6 },
    'iat years ago, exp not yet': { iat: now - year, exp: now + 600 },
    'iat in text': { iat: String(now) },
  };
}

function absences(): Record<string, Written> {
  const required = ['iss', 'aud', 'sub', 'client_id', 'grant_id', 'scope', 'jti', 'iat', 'exp'];
  return {
    ...Object.fromEntries(
      required.flatMap((name) => [
        [`without ${name}`, { [name]: undefined }],
        [`with ${name} that is an object`, { [name]: {} }],
      ]),
    ),
    'whose claims are a list': '[]',
    'whose claims are null': 'null',
    'whose claims are no JSON': '{"sub":',
    'whose claims come by the prototype': '{"__proto__":{"sub":"x"}}',
  };
}

/** Texts that reach the database, or are compared with what is there. */
function texts({ app: { accountId, grantId, clientId }, claims }: ValidToken): Record<string, Written> {
  return {
    'sub with a blank': { sub: `${accountId} ` },
    'sub with U+0000': { sub: `${accountId}\u0000` },
    'sub that is a pattern': { sub: '%' },
    'grant_id in braces': { grant_id: `{${grantId}}` },
    'grant_id with SQL': { grant_id: `${grantId}' or true --` },
    'client_id in capitals': { client_id: clientId.toUpperCase() },
    'client_id with a lone surrogate': { client_id: '\ud800' },
    'jti with U+0000': { jti: 'a\u0000b' },
    'scope with U+0000': { scope: 'read\u0000' },
    'scope in a list': { scope: ['read'] },
    'sub given twice, the last wrong (RFC 7519 §4)': doubled(claims, '"sub":"x"'),
    'exp given twice, the last wrong (RFC 7519 §4)': doubled(claims, '"exp":1'),
  };
}

/** RFC 7518 §3.4: two numbers of 32 bytes; RFC 7515 §2: base64url without padding, in one spelling. */
function signatures(valid: ValidToken): Record<string, string> {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const changes: Record<string, (bytes: Buffer) => Buffer | string> = {
    'that is left out': () => '',
    'without its last byte': (bytes) => bytes.subarray(0, 63),
    'with a byte of nought behind it': (bytes) => Buffer.concat([bytes, Buffer.of(0)]),
    'with one bit turned': (bytes) => bytes.map((byte, index) => (index === 9 ? byte ^ 1 : byte)) as Buffer,
    'with r and s exchanged': (bytes) => Buffer.concat([bytes.subarray(32), bytes.subarray(0, 32)]),
    'of 64 bytes of nought': () => Buffer.alloc(64),
    'of 64 bytes of 255': () => Buffer.alloc(64, 255),
    'in DER of two noughts': () => Buffer.of(0x30, 6, 2, 1, 0, 2, 1, 0),
    'in hexadecimal': (bytes) => bytes.toString('hex'),
    'with = behind it': (bytes) => `${bytes.toString('base64url')}=`,
    // RFC 4648 §3.5: the last character has four bits that count for nothing.
    'with an unused bit set': (bytes) =>
      bytes.toString('base64url').replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
    'with a character too many': (bytes) => `${bytes.toString('base64url')}A`,
    'with a character that is none of base64': (bytes) => `~${bytes.toString('base64url').slice(1)}`,
  };
  const changed = Object.entries(changes).map(([what, change]) => [
    `a signature ${what}`,
    writeToken(valid, { sign: (input) => change(Buffer.from(valid.sign(input))) }),
  ]);
  return {
    ...Object.fromEntries(changed),
    'a signature of another key of the same kind': writeToken(valid, { sign: signWith(own) }),
    'our signature of nothing': writeToken(valid, { sign: () => valid.sign('') }),
    'our signature of the claims alone': writeToken(valid, {
      sign: (input) => valid.sign(input.split('.')[1] ?? ''),
    }),
  };
}

/** What is no JWS in compact form (RFC 7515 §7.1), though a lenient reader might find one in it. */
function shapes(valid: ValidToken): Record<string, string> {
  const token = writeToken(valid, {});
  const [header = '', claims = '', signature = ''] = token.split('.');
  const json = JSON.stringify({ payload: claims, protected: header, signature });
  return {
    'two parts': `${header}.${claims}`,
    'four parts': `${token}.${signature}`,
    'points alone': '..',
    'five parts, as encrypted tokens have': `${header}..${signature}.${claims}.${signature}`,
    'its parts in another order': `${claims}.${header}.${signature}`,
    'no claims': `${header}..${signature}`,
    'a header with = behind it': `${header}=.${claims}.${signature}`,
    'claims that are not encoded': `${header}.read.${signature}`,
    'JSON serialisation in base64url': Buffer.from(json).toString('base64url'),
    'a token inside a token': writeToken(valid, { header: { cty: 'JWT' }, claims: JSON.stringify(token) }),
    'a personal token’s prefix before it': `tms_${token}`,
  };
}

/** The JSON of an object with one more member behind the others. */
function doubled(members: Readonly<Record<string, unknown>>, last: string): string {
  return `${JSON.stringify(members).slice(0, -1)},${last}}`;
}
