import test from 'ava';
import fc from 'fast-check';
import { ClientDocumentError } from '#auth-server/clients/fetch-client-document.ts';
import { words } from '#tests/support/words.ts';
import { defaultRedirectUri } from './oauth-endpoints.ts';
import { authorizationRequest, connectApp, obtainCode, startOAuthWorld } from './oauth-flow.ts';

// Client ids that are addresses of documents lead to nobody: else they would lead to the hosts they name.
const world = await startOAuthWorld(undefined, {
  fetchDocument: async () => {
    throw new ClientDocumentError(new Error('no document is published here'));
  },
});
const app = await connectApp(world);
const { redemption } = await obtainCode(world, { clientId: app.clientId });
const { stack } = world;

const errorLevel = 50;

test.after.always('nothing that was sent is a failure of the service', async (t) => {
  try {
    t.deepEqual(
      stack.log.filter(({ level }) => level >= errorLevel),
      [],
    );
  } finally {
    await stack.close();
  }
});

const texts = [
  ...words(`https://evil.example/ //evil.example javascript:alert(1) <script>alert(1)</script> %00%0d%0a%ff
    ../../etc/passwd __proto__ constructor null {"$ne":null} code token query fragment none S256 plain read
    authorization_code password eyJhbGciOiJub25lIn0.e30. https://127.0.0.1:1/client.json`),
  ...['', ' ', '\0', '\r\nLocation: https://evil.example', '"><img src=x onerror=alert(1)>', "' or 1=1 --"],
  ...['write admin', 'A'.repeat(43), 'x'.repeat(3_000), '\ufeff\u202e\u{1f600}'],
  ...[defaultRedirectUri, `${defaultRedirectUri}/`, stack.baseUrl, app.clientId],
];
const hostile = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...'%&=+#?/\\"<>;\0\n'), maxLength: 30 }) },
);

/** A valid request, of which some parameters are left out, doubled or replaced, and others are added. */
function spoilt(valid: Readonly<Record<string, unknown>>): fc.Arbitrary<[name: string, value: string][]> {
  const change = fc.oneof(
    { weight: 20, arbitrary: fc.constant('keep' as const) },
    { weight: 1, arbitrary: fc.constant('leave out' as const) },
    { weight: 1, arbitrary: fc.constant('double' as const) },
    { weight: 2, arbitrary: hostile.map((value) => ({ value })) },
  );
  const names = Object.keys(valid);
  const added = fc.array(
    fc.tuple(fc.oneof(fc.constantFrom(...texts, 'prompt', 'request', 'resource'), hostile), hostile),
    { maxLength: 2 },
  );
  return fc.tuple(fc.tuple(...names.map(() => change)), added).map(([changes, further]) => {
    const kept = names.flatMap((name, index): [string, string][] => {
      const [own, changed] = [String(valid[name]), changes[index]];
      if (changed === 'leave out') return [];
      if (changed === 'double')
        return [
          [name, own],
          [name, own],
        ];
      return [[name, typeof changed === 'object' ? changed.value : own]];
    });
    return [...kept, ...further];
  });
}

/** Encoded as a client would, or with its encoding broken somewhere. */
const encoded = (pairs: fc.Arbitrary<[string, string][]>) =>
  fc
    .tuple(
      pairs,
      fc.option(fc.tuple(fc.nat(), fc.constantFrom('%', '%ff', '%00', '&', '=', '+', '%0a')), { freq: 5 }),
    )
    .map(([fields, damage]) => {
      const text = new URLSearchParams(fields).toString();
      if (damage === null) return text;
      const [place, inserted] = [damage[0] % (text.length + 1), damage[1]];
      return text.slice(0, place) + inserted + text.slice(place);
    });

const accept = fc.constantFrom(
  '*/*',
  'text/html',
  'application/json',
  'text/html;q=1,application/json;q=0',
  'x',
);
const seed = 20_261_121;

function requireJson({ headers }: Response, body: string): void {
  const type = headers.get('content-type') ?? '';
  if (!/^application\/json/.test(type)) throw new Error(`${type}: ${body.slice(0, 200)}`);
  if (headers.has('location')) throw new Error(`sent to ${headers.get('location')}`);
}

/** What answers a program: JSON of the endpoint's own errors, or nothing where there is nothing to say. */
async function requireAnswer(
  response: Response,
  statuses: readonly number[],
  silent?: number,
): Promise<void> {
  const body = await response.text();
  if (!statuses.includes(response.status)) throw new Error(`${response.status}: ${body.slice(0, 200)}`);
  if (response.status === silent && body === '') return;
  requireJson(response, body);
  if (response.ok) return;
  const { error, error_description: description } = JSON.parse(body) as Record<string, unknown>;
  if (typeof error !== 'string' || typeof description !== 'string') throw new Error(body);
}

const send = (path: string, type: string, body: string, accepted: string) =>
  fetch(stack.baseUrl + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { accept: accepted, 'content-type': type },
    body,
  });

/** What became of an authorization request. Throws when the browser would end where it must not. */
async function requireSafeOutcome(response: Response): Promise<'asked' | 'sent back' | 'kept here'> {
  const location = response.headers.get('location');
  if (location !== null) {
    const { searchParams, hash } = new URL(location);
    const isRegistered = location.startsWith(`${defaultRedirectUri}?error=`) && hash === '';
    if (response.status === 303 && isRegistered && searchParams.get('iss') === stack.baseUrl)
      return 'sent back';
    throw new Error(`${response.status}: sent to ${location}`);
  }
  const page = await response.text();
  const isPage = /^text\/html/.test(response.headers.get('content-type') ?? '');
  if (!isPage || /<script>|<img src=x|http-equiv/.test(page)) throw new Error(page);
  if (response.status === 200) return 'asked';
  if (response.status === 400) return 'kept here';
  throw new Error(`${response.status}: ${page}`);
}

test('no authorization request redirects to an unregistered target (RFC 9700 §4.11.2)', async (t) => {
  const { parameters } = authorizationRequest(app.clientId, { scope: 'read', resource: stack.baseUrl });
  const seen: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(encoded(spoilt(parameters)), accept, async (query, accepted) => {
      const url = `${stack.baseUrl}/oauth/authorize?${query}`;
      const response = await fetch(url, { redirect: 'manual', headers: { accept: accepted } });
      const outcome = await requireSafeOutcome(response);
      seen[outcome] = (seen[outcome] ?? 0) + 1;
    }),
    { seed, numRuns: 200 },
  );
  t.deepEqual(Object.keys(seen).sort(), ['asked', 'kept here', 'sent back']);
  t.true(
    Object.values(seen).every((count) => count >= 20),
    JSON.stringify(seen),
  );
});

test('every token request gets JSON, and a spoilt one no tokens (RFC 6749 §5.2)', async (t) => {
  const form = 'application/x-www-form-urlencoded';
  const refresh = { grant_type: 'refresh_token', client_id: app.clientId, refresh_token: 'x', scope: 'read' };
  const spoiltCode = { ...redemption, code_verifier: 'A'.repeat(43) };
  for (const valid of [refresh, spoiltCode]) {
    await fc.assert(
      fc.asyncProperty(encoded(spoilt(valid)), accept, async (body, accepted) =>
        requireAnswer(await send('/oauth/token', form, body, accepted), [400, 401]),
      ),
      { seed, numRuns: 75 },
    );
  }
  t.is((await world.endpoints.token(redemption)).status, 200);
});

test('every revocation gets JSON, and the tokens of others stay (RFC 7009 §2.2)', async (t) => {
  const form = 'application/x-www-form-urlencoded';
  const valid = {
    token: app.tokens.refresh_token.toLowerCase(),
    token_type_hint: 'refresh_token',
    client_id: app.clientId,
  };
  await fc.assert(
    fc.asyncProperty(encoded(spoilt(valid)), accept, async (body, accepted) =>
      requireAnswer(await send('/oauth/revoke', form, body, accepted), [200, 400], 200),
    ),
    { seed, numRuns: 75 },
  );
  t.is(await world.endpoints.me(app.tokens.access_token), 200);
});

test('every registration gets JSON and at most a public client (RFC 7591 §3.2)', async (t) => {
  const values = fc.oneof(hostile, fc.jsonValue({ maxDepth: 2 }), fc.array(hostile, { maxLength: 3 }));
  const names = words('redirect_uris client_name scope grant_types response_types client_id jwks contacts');
  const metadata = fc.dictionary(fc.oneof(fc.constantFrom(...names), hostile), values, { maxKeys: 6 });
  const body = fc.oneof(
    {
      weight: 4,
      arbitrary: metadata.map((members) =>
        JSON.stringify({ redirect_uris: [defaultRedirectUri], ...members }),
      ),
    },
    { weight: 2, arbitrary: metadata.map((members) => JSON.stringify(members)) },
    { weight: 1, arbitrary: hostile },
    { weight: 1, arbitrary: fc.json() },
  );
  let registered = 0;
  await fc.assert(
    fc.asyncProperty(body, accept, async (text, accepted) => {
      const response = await send('/oauth/register', 'application/json', text, accepted);
      if (response.status === 201) {
        registered += 1;
        const client = (await response.clone().json()) as Record<string, unknown>;
        if (client.token_endpoint_auth_method !== 'none' || 'client_secret' in client) throw new Error(text);
        if (!/^app_[\w-]{22}$/.test(String(client.client_id))) throw new Error(text);
      }
      await requireAnswer(response, [201, 400]);
    }),
    { seed, numRuns: 150 },
  );
  t.true(registered >= 10);
});
