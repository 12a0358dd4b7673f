import test from 'ava';
import { startOAuthWorld } from '#tests/oauth/oauth-flow.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const { endpoints: openEndpoints, stack: openStack } = await startOAuthWorld(undefined);
test.after.always(() => openStack.close());

test('what is kept of a registration is bounded, whatever was sent', async (t) => {
  const long = (start: string, length: number) => start.padEnd(length, 'x');
  const uris = Array.from({ length: 2 }, (_, index) => long(`https://a.example/${index}/`, 2_048));
  const page = long('https://a.example/', 2_048);
  const everything = {
    redirect_uris: uris,
    client_name: '😀'.repeat(200),
    software_id: '😀'.repeat(200),
    software_version: '😀'.repeat(200),
    client_uri: page,
    contacts: Array.from({ length: 500 }, (_, index) => `${index}`.padStart(180, 'x').concat('@a.example')),
    jwks: { keys: [{ kty: 'RSA', n: 'x'.repeat(400_000) }] },
    software_statement: 'x'.repeat(400_000),
    vendor: { anything: 'x'.repeat(400_000) },
  };
  const tooMuch = await openEndpoints.register(everything);
  t.like(tooMuch, { status: 400, body: { error: 'invalid_client_metadata' } });
  const { status, body } = await openEndpoints.register({ ...everything, client_uri: '', contacts: [] });
  t.is(status, 201);
  const [row] = await openStack.sql<{ bytes: number }>`
    select octet_length(client::text) as bytes from auth.oauth_client client where client_id = ${String(body.client_id)}`;
  t.true((row?.bytes ?? 0) > 5_000 && (row?.bytes ?? 0) < 9_000, String(row?.bytes));
});
