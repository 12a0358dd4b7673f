import test, { type ExecutionContext } from 'ava';
import { metadataDocumentClient, registeredMetadata } from '#auth-server/clients/registration-policy.ts';
import { OAuthError } from '#auth-server/oauth/oauth-error.ts';

const register = (body: unknown) => registeredMetadata(body, { confidential: 'coerce' });
const redirectUris = ['https://client.example/callback'];
const registered = {
  redirect_uris: redirectUris,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  scope: 'read write',
  application_type: 'web',
};

function refuses(
  t: ExecutionContext,
  members: object,
  error: 'invalid_client_metadata' | 'invalid_redirect_uri',
  description: RegExp,
): void {
  const thrown = t.throws(() => register({ redirect_uris: redirectUris, ...members }), {
    instanceOf: OAuthError,
  });
  t.is(thrown.error, error);
  t.regex(thrown.message, description);
}

test('what a client may say of itself is kept as it was sent', (t) => {
  const said = {
    client_name: 'Émile’s tasks 🗂',
    redirect_uris: redirectUris,
    client_uri: 'https://client.example',
    logo_uri: 'https://client.example/logo.png',
    tos_uri: 'http://client.example/terms?lang=en',
    policy_uri: 'https://client.example/privacy',
    contacts: ['ops@client.example', 'Émile', 'ops@client.example'],
    software_id: '4NRB1-0XZABZI9E6-5SM3R',
    software_version: '2.0',
  };
  t.deepEqual(register(said), { ...said, ...registered, contacts: ['ops@client.example'] });
});

const ignored: Record<string, object> = {
  'nothing else': {},
  'null for what it leaves out': {
    client_name: null,
    scope: null,
    contacts: null,
    grant_types: null,
    jwks: null,
  },
  'empty strings': { client_name: '', logo_uri: '', scope: '', token_endpoint_auth_method: '' },
  'a name without a visible character': { client_name: ' \t\u3000\u200b\u2060\ufeff' },
  'a scope it may never have': { scope: 'admin offline_access' },
  'a single scope, which would keep it from a second one later': { scope: 'read' },
  'a confidential method': { token_endpoint_auth_method: 'client_secret_post' },
  'an unknown method': { token_endpoint_auth_method: 'none_at_all' },
  'unknown grant types beside known ones': { grant_types: ['authorization_code', 'device_code'] },
  'unknown grant types alone': { grant_types: ['client_credentials'] },
  'further response types': { response_types: ['code', 'id_token'] },
  'another application type': { application_type: 'native' },
  'what the server would have to fetch': {
    jwks: { keys: [] },
    jwks_uri: 'http://169.254.169.254/',
    sector_identifier_uri: 'http://127.0.0.1/',
    software_statement: 'e30.e30.',
  },
  'what only the server decides': { client_id: 'chosen', client_secret: 'hidden', client_id_issued_at: 1 },
  'unknown members': { resource: 'x', 'client_name#fr': 'Tâches', ['__proto__']: { a: 1 } },
  'pages that are none': {
    client_uri: 'client.example',
    logo_uri: 'javascript:alert(1)',
    tos_uri: 'https://',
    policy_uri: `https://client.example/${'x'.repeat(2_048)}`,
  },
  'contacts that are no addresses': { contacts: ['', 'support desk', `${'x'.repeat(200)}@client.example`] },
  'a redirect URI twice': { redirect_uris: [...redirectUris, ...redirectUris] },
};

for (const [what, members] of Object.entries(ignored)) {
  test(`a client that sends ${what} is registered as if it had not (RFC 7591 §2)`, (t) => {
    t.deepEqual(register({ redirect_uris: redirectUris, ...members }), registered as object);
  });
}

const refused: [members: object, names: RegExp][] = [
  [{ client_name: 7 }, /^client_name/],
  [{ client_name: 'a\ud800' }, /^client_name/],
  [{ client_name: 'a\0' }, /^client_name/],
  [{ client_name: 'Tasks\nVerified' }, /^client_name/],
  [{ client_name: '🗂'.repeat(201) }, /^client_name .*200/],
  [{ software_id: 'x'.repeat(201) }, /^software_id/],
  [{ logo_uri: [] }, /^logo_uri/],
  [
    { redirect_uris: [1, 2, 3, 4, 5].map((part) => `https://a.example/${part}`.padEnd(1_800, 'x')) },
    /^client metadata must have at most 8192 bytes in all/,
  ],
  [{ scope: ['read'] }, /^scope/],
  [{ contacts: 'ops@client.example' }, /^contacts/],
  [{ contacts: [1] }, /^contacts/],
  [{ grant_types: 'authorization_code' }, /^grant_types/],
  [{ response_types: { code: true } }, /^response_types/],
  [{ response_types: ['token'] }, /^response_types/],
  [{ response_types: [] }, /^response_types/],
  [{ token_endpoint_auth_method: ['none'] }, /^token_endpoint/],
  [{ application_type: true }, /^application_type/],
  [{ redirect_uris: redirectUris[0] }, /^redirect_uris/],
  [{ redirect_uris: [null] }, /^redirect_uris/],
];

for (const [members, names] of refused) {
  const what = JSON.stringify(members).slice(0, 60);
  test(`a client that sends ${what} is refused with the member’s name (RFC 7591 §3.2.2)`, (t) => {
    refuses(t, members, 'invalid_client_metadata', names);
  });
}

test('a name may have 200 code points, and of more than 20 contacts the first 20 are kept', (t) => {
  t.is(register({ redirect_uris: redirectUris, client_name: '🗂'.repeat(200) }).client_name, '🗂'.repeat(200));
  const contacts = Array.from({ length: 25 }, (_, index) => `team-${index}@client.example`);
  t.deepEqual(register({ redirect_uris: redirectUris, contacts }).contacts, contacts.slice(0, 20));
});

test('a client needs a redirect URI, and may have 20 different ones', (t) => {
  const uris = Array.from({ length: 20 }, (_, index) => `https://client.example/${index}`);
  t.deepEqual(register({ redirect_uris: [...uris, ...uris] }).redirect_uris, uris);
  refuses(t, { redirect_uris: [...uris, 'https://client.example/20'] }, 'invalid_redirect_uri', /20/);
  for (const none of [undefined, null, []])
    refuses(t, { redirect_uris: none }, 'invalid_redirect_uri', /at least one/);
  const bad = [...redirectUris, 'http://client.example/callback'];
  refuses(t, { redirect_uris: bad }, 'invalid_redirect_uri', /^redirect_uris\[1\] must use https/);
});

test('one URI that is not https makes a client native, which has no https on loopback', (t) => {
  const typeOf = (...uris: string[]) =>
    register({ redirect_uris: uris, application_type: 'web' }).application_type;
  t.is(typeOf('https://client.example/a', 'https://localhost:8080/b'), 'web');
  t.is(typeOf('https://client.example/a', 'http://127.0.0.1/b'), 'native');
  t.is(typeOf('cursor://anysphere.cursor-mcp/oauth/callback'), 'native');
  for (const native of ['http://localhost/callback', 'cursor://callback']) {
    const uris = ['https://localhost/callback', native];
    refuses(t, { redirect_uris: uris }, 'invalid_redirect_uri', /http on a loopback host/);
  }
});

const document = {
  client_id: 'https://client.example/client.json',
  client_name: 'Example',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
};

const usable: Record<string, object> = {
  'names no method': {},
  'names the method none': { token_endpoint_auth_method: 'none' },
  'prefers a key and lists none': {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    jwks_uri: 'https://client.example/jwks.json',
  },
  'lists grant types for other servers': { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] },
  'calls itself a web application': {
    application_type: 'web',
    resource: 'x',
    logo_uri: 'javascript:alert(1)',
  },
};

for (const [what, members] of Object.entries(usable)) {
  test(`a metadata document that ${what} describes a public client under its own id`, (t) => {
    const client = metadataDocumentClient({ ...document, ...members });
    t.deepEqual(client as object, { ...registered, ...document, application_type: 'native' });
  });
}

const unusable: Record<string, object> = {
  'insists on a key': { token_endpoint_auth_method: 'private_key_jwt' },
  'lists methods without none': { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
  'lists no method at all': { token_endpoint_auth_methods_supported: [] },
  'publishes a secret': { client_secret: 'secret' },
  'publishes the end of a secret': { client_secret_expires_at: 0 },
  'wants no code': { response_types: ['id_token'] },
  'has no client_id': { client_id: undefined },
  'has a client_id that is no string': { client_id: 7 },
  'has no redirect URIs': { redirect_uris: [] },
  'has a redirect URI in the clear': { redirect_uris: ['http://client.example/callback'] },
};

for (const [what, members] of Object.entries(unusable)) {
  test(`a metadata document that ${what} is refused`, (t) => {
    t.throws(() => metadataDocumentClient({ ...document, ...members }), { instanceOf: OAuthError });
  });
}
