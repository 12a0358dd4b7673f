import { generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import fc from 'fast-check';
import Provider from 'oidc-provider';
import {
  type ClientMetadata,
  metadataDocumentClient,
  RegistrationError,
  registeredMetadata,
} from '#auth-server/clients/registration-policy.ts';
import { recordedClients } from './recorded-clients.ts';

const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const provider = new Provider('https://tasks.example', {
  adapter: () => {
    throw new Error('nothing is stored here');
  },
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'key', use: 'sig', alg: 'ES256' }] },
  scopes: ['read', 'write'],
  responseTypes: ['code'],
  clientAuthMethods: ['none'],
  clientDefaults: { id_token_signed_response_alg: 'ES256' },
  issueRefreshToken: async () => true,
  extraClientMetadata: { properties: ['software_id', 'software_version'] },
  features: { devInteractions: { enabled: false }, registration: { enabled: true } },
});
type PackageClient = { metadata(): object; redirectUriAllowed(uri: string): boolean };
/** The package's types leave its constructor out. */
const Client = provider.Client as unknown as new (metadata: object) => PackageClient;

const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined, freq: 4 });
const label = fc.stringMatching(/^[a-z]([a-z0-9-]{0,8}[a-z0-9])?$/);
const rest = fc.stringMatching(/^(\/[\w~.%-]{0,6}){0,3}(\?[\w=&%]{0,10})?$/);
const port = fc.oneof(
  fc.constant(''),
  fc.integer({ min: 1, max: 65_535 }).map((number) => `:${number}`),
);
const redirectUri = fc.oneof(
  fc.tuple(label, port, rest).map((parts) => `https://${parts[0]}.example${parts[1]}${parts[2]}`),
  fc
    .tuple(fc.constantFrom('localhost', '127.0.0.1', '[::1]'), port, rest)
    .map((parts) => `http://${parts.join('')}`),
  fc.tuple(label, label, rest).map(([scheme, host, path]) => `${scheme}://${host}${path}`),
  fc.tuple(label, label).map(([first, second]) => `com.${first}.${second}:/callback`),
);
const localHttps = fc.tuple(port, rest).map((parts) => `https://localhost${parts.join('')}`);
const text = optional(
  fc.oneof(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.string({ unit: 'binary', maxLength: 8 })),
);
const page = optional(
  fc.oneof(fc.webUrl({ withFragments: true, withQueryParameters: true }), fc.string(), redirectUri),
);
const strings = optional(
  fc.array(fc.oneof(fc.constantFrom('code', 'authorization_code', 'none'), fc.string()), { maxLength: 3 }),
);
const method = fc.constantFrom('none', 'client_secret_basic', 'private_key_jwt', '');
const registration = fc.record({
  redirect_uris: fc.oneof(
    { weight: 9, arbitrary: fc.array(redirectUri, { minLength: 1, maxLength: 21 }) },
    { weight: 1, arbitrary: fc.array(fc.oneof(localHttps, redirectUri), { minLength: 1, maxLength: 3 }) },
  ),
  client_name: text,
  client_uri: page,
  logo_uri: page,
  tos_uri: page,
  policy_uri: page,
  contacts: optional(fc.array(fc.oneof(fc.emailAddress(), fc.string()), { maxLength: 4 })),
  software_id: text,
  software_version: text,
  grant_types: strings,
  response_types: optional(fc.constantFrom(['code'], ['code', 'token'])),
  token_endpoint_auth_method: optional(method),
  token_endpoint_auth_methods_supported: optional(fc.constantFrom(['none'], ['private_key_jwt', 'none'])),
  scope: text,
  application_type: optional(fc.constantFrom('web', 'native', '')),
  id_token_signed_response_alg: optional(fc.constant('RS256')),
  subject_type: optional(fc.constant('pairwise')),
  sector_identifier_uri: optional(page),
  default_max_age: optional(fc.string()),
});

/** The policy's answer; undefined when it refuses. */
function answerOf<Answer>(policy: () => Answer): Answer | undefined {
  try {
    return policy();
  } catch (error) {
    if (error instanceof RegistrationError) return undefined;
    throw error;
  }
}

/** Throws when the package refuses the client, or would store it otherwise. */
function requireAcceptance(metadata: ClientMetadata & { client_id: string }): PackageClient {
  const client = new Client({ ...metadata });
  const stored: Record<string, unknown> = { ...client.metadata() };
  for (const [name, value] of Object.entries(metadata)) {
    if (JSON.stringify(stored[name]) !== JSON.stringify(value)) throw new Error(`${name} was changed`);
  }
  return client;
}

test('the package takes every client that the registration policy lets through, as it is', (t) => {
  fc.assert(
    fc.property(registration, (body) => {
      const metadata = answerOf(() => registeredMetadata(body, { confidential: 'coerce' }));
      fc.pre(metadata !== undefined);
      if (metadata !== undefined) requireAcceptance({ client_id: 'app_1', ...metadata });
    }),
    { numRuns: 2_000 },
  );
  t.pass();
});

test('the package takes every client that a metadata document describes, as it is', (t) => {
  const document = { client_id: 'https://client.example/client.json' };
  fc.assert(
    fc.property(registration, (body) => {
      const metadata = answerOf(() => metadataDocumentClient({ ...body, ...document }));
      fc.pre(metadata !== undefined);
      if (metadata !== undefined) requireAcceptance(metadata);
    }),
    { numRuns: 500 },
  );
  t.pass();
});

for (const { name, registration = {}, document, authorization } of recordedClients) {
  test(`${name} is taken as it introduces itself, with the redirect URI it comes with`, (t) => {
    const metadata = document
      ? metadataDocumentClient(document)
      : { client_id: 'app_1', ...registeredMetadata(registration, { confidential: 'coerce' }) };
    t.true(requireAcceptance(metadata).redirectUriAllowed(authorization.redirect_uri ?? ''));
    t.is<unknown, unknown>(metadata.client_name, (document ?? registration).client_name);
  });
}

test('a loopback redirect URI is allowed on any port, and on no other path or host (RFC 8252 §7.3)', (t) => {
  const client = requireAcceptance(
    metadataDocumentClient({
      client_id: 'https://client.example/client.json',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback', 'http://[::1]:1/callback'],
    }),
  );
  for (const host of ['localhost', '127.0.0.1', '[::1]'])
    for (const port of ['', ':1', ':51234'])
      t.true(client.redirectUriAllowed(`http://${host}${port}/callback`));
  for (const uri of [
    'http://localhost:1/',
    'http://127.0.0.2/callback',
    'https://localhost/callback',
    'http://127.1/callback',
  ])
    t.false(client.redirectUriAllowed(uri), uri);
});

test('whatever JSON is sent, it is registered or refused with a registration error', (t) => {
  const members = fc.dictionary(
    fc.constantFrom(
      'redirect_uris',
      'client_name',
      'client_uri',
      'contacts',
      'grant_types',
      'response_types',
      'scope',
      'software_id',
    ),
    fc.oneof(fc.jsonValue(), fc.array(fc.string())),
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), members), (body) => {
      answerOf(() => registeredMetadata(body, { confidential: 'coerce' }));
      answerOf(() => metadataDocumentClient(body));
    }),
    { numRuns: 3_000 },
  );
  t.pass();
});
