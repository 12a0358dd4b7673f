import test, { type ExecutionContext } from 'ava';
import { RegistrationError, registeredMetadata } from '#auth-server/clients/registration-policy.ts';

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
  'null for what it leaves out': Object.fromEntries(
    ['client_name', 'client_uri', 'scope', 'contacts', 'grant_types', 'response_types', 'jwks'].map(
      (name) => [name, null],
    ),
  ),
  'empty strings': {
    client_name: '',
    logo_uri: '',
    scope: '',
    software_id: '',
    token_endpoint_auth_method: '',
  },
  'a blank name': { client_name: ' \t\u3000' },
  'a name of invisible characters': { client_name: '\u200b\u2060\ufeff' },
  'a scope it may never have': { scope: 'admin offline_access' },
  'a single scope, which would keep it from a second one later': { scope: 'read' },
  'a confidential method': { token_endpoint_auth_method: 'client_secret_post' },
  'a method nobody knows': { token_endpoint_auth_method: 'none_at_all' },
  'grant types that it can’t have, beside known ones': {
    grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
  },
  'no refresh tokens': { grant_types: ['authorization_code'] },
  'grant types none of which is known': { grant_types: ['client_credentials'] },
  'further response types': { response_types: ['code', 'id_token'] },
  'another application type': { application_type: 'native' },
  'an unknown application type': { application_type: 'spaceship' },
  'keys and addresses that the server would have to fetch': {
    jwks: { keys: [] },
    jwks_uri: 'http://169.254.169.254/',
    sector_identifier_uri: 'http://127.0.0.1/',
    software_statement: 'e30.e30.',
  },
  'what only the server decides': { client_id: 'chosen', client_secret: 'hidden', client_id_issued_at: 1 },
  'members nobody knows': {
    resource: 'https://tasks.example',
    'client_name#fr': 'Tâches',
    ['__proto__']: { a: 1 },
  },
  'pages that are none': {
    client_uri: 'client.example',
    logo_uri: 'javascript:alert(1)',
    tos_uri: 'https://',
    policy_uri: 'https://client.example/a b',
  },
  'a page with too long an address': { client_uri: `https://client.example/${'x'.repeat(2_048)}` },
  'contacts that are no addresses': { contacts: ['', 'support desk', `${'x'.repeat(200)}@client.example`] },
  'a redirect URI twice': { redirect_uris: [...redirectUris, ...redirectUris] },
};

for (const [what, members] of Object.entries(ignored)) {
  test(`a client that sends ${what} is registered as if it had not`, (t) => {
    t.deepEqual(register({ redirect_uris: redirectUris, ...members }), registered as object);
  });
}

test('a name may have 200 code points, and not one more', (t) => {
  t.is(register({ redirect_uris: redirectUris, client_name: '🗂'.repeat(200) }).client_name, '🗂'.repeat(200));
  refuses(t, { client_name: '🗂'.repeat(201) }, 'invalid_client_metadata', /^client_name .*200/);
});

test('of more than 20 contacts the first 20 are kept', (t) => {
  const contacts = Array.from({ length: 25 }, (_, index) => `team-${index}@client.example`);
  t.deepEqual(register({ redirect_uris: redirectUris, contacts }).contacts, contacts.slice(0, 20));
});

const refused: Record<string, { members: object; names: RegExp }> = {
  'a name that is no string': { members: { client_name: 7 }, names: /^client_name/ },
  'a name with half a surrogate pair': { members: { client_name: 'a\ud800' }, names: /^client_name/ },
  'a name with U+0000': { members: { client_name: 'a\0' }, names: /^client_name/ },
  'a name of two lines': { members: { client_name: 'Tasks\nVerified' }, names: /^client_name/ },
  'a software id that is too long': { members: { software_id: 'x'.repeat(201) }, names: /^software_id/ },
  'a page that is no string': { members: { logo_uri: [] }, names: /^logo_uri/ },
  'a scope that is an array': { members: { scope: ['read'] }, names: /^scope/ },
  'contacts that are a string': { members: { contacts: 'ops@client.example' }, names: /^contacts/ },
  'contacts of numbers': { members: { contacts: [1] }, names: /^contacts/ },
  'grant types that are a string': { members: { grant_types: 'authorization_code' }, names: /^grant_types/ },
  'response types that are an object': {
    members: { response_types: { code: true } },
    names: /^response_types/,
  },
  'response types without code': { members: { response_types: ['token'] }, names: /^response_types/ },
  'no response type at all': { members: { response_types: [] }, names: /^response_types/ },
  'an authentication method that is no string': {
    members: { token_endpoint_auth_method: ['none'] },
    names: /^token_endpoint/,
  },
  'an application type that is no string': {
    members: { application_type: true },
    names: /^application_type/,
  },
  'redirect URIs that are a string': { members: { redirect_uris: redirectUris[0] }, names: /^redirect_uris/ },
  'a redirect URI that is null': { members: { redirect_uris: [null] }, names: /^redirect_uris/ },
};

for (const [what, { members, names }] of Object.entries(refused)) {
  test(`a client that sends ${what} is refused with the member’s name (RFC 7591 §3.2.2)`, (t) => {
    refuses(t, members, 'invalid_client_metadata', names);
  });
}

test('what is no JSON object is no client', (t) => {
  for (const body of [undefined, null, 'client', 7, true, [], [{ redirect_uris: redirectUris }]]) {
    t.throws(() => register(body), { instanceOf: RegistrationError, message: /^invalid_client_metadata/ });
  }
});

test('a client needs a redirect URI, and may have 20 different ones', (t) => {
  const uris = Array.from({ length: 20 }, (_, index) => `https://client.example/${index}`);
  t.deepEqual(register({ redirect_uris: [...uris, ...uris] }).redirect_uris, uris);
  refuses(t, { redirect_uris: [...uris, 'https://client.example/20'] }, 'invalid_redirect_uri', /20/);
  for (const none of [undefined, null, []])
    refuses(t, { redirect_uris: none }, 'invalid_redirect_uri', /at least one/);
});

test('one bad redirect URI spoils the registration, and is named by its place', (t) => {
  const uris = [...redirectUris, 'http://client.example/callback'];
  refuses(t, { redirect_uris: uris }, 'invalid_redirect_uri', /^redirect_uris\[1\] must use https/);
});

test('a client is native as soon as one of its URIs is not https, whatever it says itself', (t) => {
  const typeOf = (...uris: string[]) =>
    register({ redirect_uris: uris, application_type: 'web' }).application_type;
  t.is(typeOf('https://client.example/a', 'https://localhost:8080/b'), 'web');
  t.is(typeOf('https://client.example/a', 'http://127.0.0.1/b'), 'native');
  t.is(typeOf('cursor://anysphere.cursor-mcp/oauth/callback'), 'native');
});

test('https on a loopback host is refused beside what only a native app has', (t) => {
  for (const native of ['http://localhost/callback', 'cursor://callback']) {
    const uris = ['https://localhost/callback', native];
    refuses(t, { redirect_uris: uris }, 'invalid_redirect_uri', /http on a loopback host/);
  }
});

test('where confidential clients are rejected, an explicit method with a secret is refused', (t) => {
  const reject = (members: object) =>
    registeredMetadata({ redirect_uris: redirectUris, ...members }, { confidential: 'reject' });
  for (const method of ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'tls_client_auth']) {
    t.throws(() => reject({ token_endpoint_auth_method: method }), {
      instanceOf: RegistrationError,
      message: /^invalid_client_metadata: token_endpoint_auth_method/,
    });
  }
  for (const method of [undefined, null, '', 'none']) {
    t.deepEqual(reject({ token_endpoint_auth_method: method }), registered as object);
  }
});

function refuses(
  t: ExecutionContext,
  members: object,
  error: RegistrationError['error'],
  description: RegExp,
): void {
  const thrown = t.throws(() => register({ redirect_uris: redirectUris, ...members }), {
    instanceOf: RegistrationError,
  });
  t.is(thrown.error, error);
  t.regex(thrown.description, description);
}
