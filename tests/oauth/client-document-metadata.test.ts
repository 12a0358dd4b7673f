import test from 'ava';
import { metadataDocumentClient, RegistrationError } from '#auth-server/clients/registration-policy.ts';

const clientId = 'https://client.example/client.json';
const document = {
  client_id: clientId,
  client_name: 'Example',
  redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
};

test('a document describes a client as a registration does, under its own id', (t) => {
  t.deepEqual(metadataDocumentClient({ ...document, resource: 'x', logo_uri: 'javascript:alert(1)' }), {
    ...document,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    scope: 'read write',
    application_type: 'native',
  });
});

const usable: Record<string, object> = {
  'names no method': {},
  'names the method none': { token_endpoint_auth_method: 'none' },
  'prefers a key and lists none': {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['private_key_jwt', 'none'],
    jwks_uri: 'https://client.example/jwks.json',
  },
  'lists none alone': { token_endpoint_auth_methods_supported: ['none'] },
  'lists grant types for other servers': { grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer'] },
  'lists further response types': { response_types: ['code', 'id_token'] },
  'calls itself a web application': { application_type: 'web' },
};

for (const [what, members] of Object.entries(usable)) {
  test(`a document that ${what} is a native, public client by its redirect URIs`, (t) => {
    const client = metadataDocumentClient({ ...document, ...members });
    t.is(client.token_endpoint_auth_method, 'none');
    t.is(client.application_type, 'native');
    t.deepEqual(client.grant_types, ['authorization_code', 'refresh_token']);
    t.false('jwks_uri' in client);
  });
}

const unusable: Record<string, object> = {
  'insists on a key': { token_endpoint_auth_method: 'private_key_jwt' },
  'insists on a secret': { token_endpoint_auth_method: 'client_secret_basic' },
  'lists methods without none': { token_endpoint_auth_methods_supported: ['private_key_jwt'] },
  'lists methods without the one it names': {
    token_endpoint_auth_method: 'none',
    token_endpoint_auth_methods_supported: ['private_key_jwt'],
  },
  'lists no method at all': { token_endpoint_auth_methods_supported: [] },
  'lists methods as a string': { token_endpoint_auth_methods_supported: 'none' },
  'publishes a secret': { client_secret: 'secret' },
  'publishes the end of a secret': { client_secret_expires_at: 0 },
  'wants no code': { response_types: ['id_token'] },
  'has no client_id': { client_id: undefined },
  'has a client_id that is no string': { client_id: 7 },
  'has no redirect URIs': { redirect_uris: [] },
  'has a redirect URI in the clear': { redirect_uris: ['http://client.example/callback'] },
};

for (const [what, members] of Object.entries(unusable)) {
  test(`a document that ${what} is refused`, (t) => {
    t.throws(() => metadataDocumentClient({ ...document, ...members }), { instanceOf: RegistrationError });
  });
}
