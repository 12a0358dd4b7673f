import { createHmac, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { signWith, type ValidToken, type Written, writeToken } from './written-token.ts';

/** What headers say that only a careless verifier believes: each with the token that says it. */
export function headerForgeries(
  valid: ValidToken,
  { publicKey, keyId }: { publicKey: KeyObject; keyId: string },
): Record<string, string> {
  return {
    ...unsigned(valid),
    ...keyConfusion(valid, publicKey),
    ...otherAlgorithms(valid),
    ...keyNames(valid, keyId),
    ...ownKeys(valid),
    ...extensions(valid),
    ...types(valid),
  };
}

/** RFC 8725 §2.1 and §3.1: no algorithm, in any spelling, with any signature. */
function unsigned(valid: ValidToken): Record<string, string> {
  const spellings = ['none', 'None', 'nOnE', 'NONE', 'none ', ' none', 'null', ''];
  const escaped = JSON.stringify({ ...valid.header, alg: 'none' }).replace('none', '\\u006eone');
  return {
    'alg none spelt with an escape': writeToken(valid, { header: escaped, sign: () => '' }),
    ...Object.fromEntries(
      spellings.flatMap((alg) => [
        [
          `alg ${JSON.stringify(alg)} and no signature`,
          writeToken(valid, { header: { alg }, sign: () => '' }),
        ],
        [`alg ${JSON.stringify(alg)} and a good signature`, writeToken(valid, { header: { alg } })],
      ]),
    ),
  };
}

/** RFC 8725 §2.1: the public key, which everybody has, taken for a shared secret. */
function keyConfusion(valid: ValidToken, publicKey: KeyObject): Record<string, string> {
  const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const jwk = publicKey.export({ format: 'jwk' });
  const x = Buffer.from(jwk.x ?? '', 'base64url');
  const y = Buffer.from(jwk.y ?? '', 'base64url');
  const secrets: Record<string, string | Buffer> = {
    PEM: pem,
    'PEM without its last line break': pem.trimEnd(),
    'PEM with the line breaks of Windows': pem.replaceAll('\n', '\r\n'),
    DER: publicKey.export({ type: 'spki', format: 'der' }),
    'DER in base64': publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
    JWK: JSON.stringify(jwk),
    'JWK as its thumbprint has it': JSON.stringify({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.y }),
    point: Buffer.concat([Buffer.of(4), x, y]),
    'x coordinate': x,
    'empty text': '',
  };
  return Object.fromEntries(
    Object.entries(secrets).flatMap(([form, secret]) =>
      [256, 384, 512].map((bits) => [
        `HS${bits} with the public key’s ${form} as the secret`,
        writeToken(valid, {
          header: { alg: `HS${bits}` },
          sign: (input) => createHmac(`sha${bits}`, secret).update(input).digest(),
        }),
      ]),
    ),
  );
}

/** RFC 8725 §3.1: another algorithm than ours, with our own signature and with a key that fits it. */
function otherAlgorithms(valid: ValidToken): Record<string, string> {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey;
  const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
  const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey;
  const secp256k1 = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
  const ed25519 = generateKeyPairSync('ed25519').privateKey;
  const fitting = [
    ['RS256', signWith(rsa)],
    ['PS256', signWith(rsa)],
    ['RS512', signWith(rsa, 'sha512')],
    ['ES384', signWith(p384, 'sha384')],
    ['ES512', signWith(p521, 'sha512')],
    ['ES256K', signWith(secp256k1)],
    ['EdDSA', signWith(ed25519, null)],
    ['Ed25519', signWith(ed25519, null)],
  ] as const;
  const malformed = [
    undefined,
    null,
    256,
    ['ES256'],
    { name: 'ES256' },
    'es256',
    'ES256 ',
    'ES\u0000256',
    'A'.repeat(5_000),
  ];
  return Object.fromEntries([
    ...fitting.flatMap(([alg, sign]) => [
      [`alg ${alg} and a signature of its kind`, writeToken(valid, { header: { alg }, sign })],
      [`alg ${alg} and our own signature`, writeToken(valid, { header: { alg } })],
      [`alg ES256 and a signature of ${alg}`, writeToken(valid, { sign })],
    ]),
    ...malformed.map((alg) => [
      `alg ${String(JSON.stringify(alg)).slice(0, 20)}`,
      writeToken(valid, { header: { alg } }),
    ]),
  ]);
}

/** RFC 7515 §10.10 and RFC 8725 §3.10: a key’s name is a name, not a path, a query or an address. */
function keyNames(valid: ValidToken, keyId: string): Record<string, string> {
  const names: unknown[] = [
    [
      '../../../../dev/null',
      '/dev/null',
      'file:///dev/null',
      '/proc/self/environ',
      'keys/../../etc/hostname',
    ],
    [
      "' or '1'='1",
      `${keyId}' --`,
      `${keyId}'; drop table auth.signing_key; --`,
      "' union select 'AAAA' --",
      '%',
      '*',
    ],
    ['http://127.0.0.1:1/key', 'https://evil.example/jwks', '//evil.example', '$(id)', '|id', '${keyId}'],
    ['', ' ', `${keyId} `, ` ${keyId}`, keyId.toUpperCase(), keyId.slice(0, -1), `${keyId}\u0000`, '\u0000'],
    ['__proto__', 'constructor', 'toString', randomUUID(), 'k'.repeat(8_000)],
    [null, 0, true, [[keyId]], { kid: keyId }],
  ].flat();
  return Object.fromEntries([
    ...names.map((kid) => [
      `kid ${JSON.stringify(kid).replaceAll(keyId, 'ours').slice(0, 60)}`,
      writeToken(valid, { header: { kid } }),
    ]),
    ['a list with our kid', writeToken(valid, { header: { kid: [keyId] } })],
  ]);
}

/** RFC 8725 §3.10: a token brings its own key, or says where to find one. */
function ownKeys(valid: ValidToken): Record<string, string> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const jwk = { ...publicKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' };
  const certificate = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const url = 'https://evil.example/jwks';
  const claims = {
    jwk: { jwk },
    'jwk under our name': { jwk: { ...jwk, kid: valid.header.kid } },
    'jwk with a private part': { jwk: privateKey.export({ format: 'jwk' }) },
    'jwk that is a shared secret': { jwk: { kty: 'oct', k: 'c2VjcmV0' } },
    jku: { jku: url },
    x5u: { x5u: url },
    x5c: { x5c: [certificate] },
    'x5t and x5c': { x5c: [certificate], 'x5t#S256': 'AAAA' },
    'all of them': { jwk, jku: url, x5u: url, x5c: [certificate] },
  };
  const names = { 'our kid': valid.header.kid, 'no kid': undefined, 'a kid of its own': 'attacker' };
  return Object.fromEntries(
    Object.entries(claims).flatMap(([what, header]) =>
      Object.entries(names).map(([name, kid]) => [
        `its own ${what} beside ${name}`,
        writeToken(valid, { header: { ...header, kid }, sign: signWith(privateKey) }),
      ]),
    ),
  );
}

/** RFC 7515 §4.1.11, RFC 7797 §6 and §7: what is critical must be understood, and a JWT’s payload is encoded. */
function extensions(valid: ValidToken): Record<string, string> {
  const headers: Record<string, Written> = {
    'a critical extension nobody knows': { crit: ['x'], x: 1 },
    'a critical claim': { crit: ['exp'], exp: 9_999_999_999 },
    'a critical parameter of the standard': { crit: ['alg'] },
    'a critical extension that is not there': { crit: ['b64'] },
    'an empty list of critical extensions': { crit: [] },
    'a critical extension in text': { crit: 'x', x: 1 },
    'a critical extension that is a number': { crit: [1] },
    'b64 false': { crit: ['b64'], b64: false },
    'b64 that is text': { crit: ['b64'], b64: 'false' },
    'a header that is a list': '[]',
    'a header that is null': 'null',
    'a header that is text': '"ES256"',
    'a header that is empty': '',
    'a header that is no JSON': '{"alg":"ES256"',
    'a header with text behind it': `${JSON.stringify(valid.header)} {}`,
    'a header that is no UTF-8': '{"alg":"ES256","typ":"at+jwt","kid":"\ud800"}',
    'alg given twice, the last none': doubled(valid.header, '"alg":"none"'),
    'kid given twice, the last unknown': doubled(valid.header, '"kid":"unknown"'),
    'typ given twice, the last another': doubled(valid.header, '"typ":"JWT"'),
  };
  return Object.fromEntries(
    Object.entries(headers).map(([what, header]) => [what, writeToken(valid, { header })]),
  );
}

/** RFC 9068 §4, RFC 8725 §3.11: what is no access token by its type. */
function types(valid: ValidToken): Record<string, string> {
  const others = ['jwt', 'application/jwt', 'id_token', 'logout+jwt', 'dpop+jwt', 'token-introspection+jwt'];
  const nearly = [
    'at+jwt ',
    ' at+jwt',
    'at-jwt',
    'atjwt',
    'at jwt',
    'x/at+jwt',
    'application/at+jwt; v=1',
    'at+jwt+jwt',
    '',
  ];
  const noText = [null, ['at+jwt'], { typ: 'at+jwt' }, 1, true];
  return Object.fromEntries(
    [...others, ...nearly, ...noText].map((typ) => [
      `typ ${JSON.stringify(typ)}`,
      writeToken(valid, { header: { typ } }),
    ]),
  );
}

/** The JSON of an object with one more member behind the others. */
export function doubled(members: Readonly<Record<string, unknown>>, last: string): string {
  return `${JSON.stringify(members).slice(0, -1)},${last}}`;
}
