import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import test from 'ava';
import { decodeJwt } from 'jose';
import { createPkce } from '#tests/oauth/oauth-endpoints.ts';
import { addOwner, decide, openConsentPage, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { openClientDocuments } from './client-documents.ts';

/**
 * What real assistants send, as their `source` shows it. `{base_url}` and the other names in braces stand for
 * what is only known when it is replayed. Exactly one of `registration` (the body of POST /oauth/register) and
 * `document` (what is served at its `client_id`) introduces the client.
 */
type RecordedClient = {
  name: string;
  registration?: Readonly<Record<string, unknown>>;
  document?: Readonly<Record<string, unknown>> & { client_id: string };
  /** Sent with every request that is not the browser's. */
  headers?: Readonly<Record<string, string>>;
  /** The query of GET /oauth/authorize. */
  authorization: Readonly<Record<string, string>>;
  /** The forms of POST /oauth/token: with the code, and later with a refresh token. */
  token: Readonly<Record<string, string>>;
  refresh: Readonly<Record<string, string>>;
};

const recordings = await readFile(new URL('./recorded-clients.json', import.meta.url), 'utf8');
const recordedClients: readonly RecordedClient[] = JSON.parse(recordings);

type Fields = Readonly<Record<string, string>>;

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const web = await openClientDocuments();
const world = await startOAuthWorld(undefined, { fetchDocument: web.fetchDocument });
test.after.always(() => world.stack.close());
test.after.always(() => web.close());

const { stack, endpoints } = world;

function fill(recorded: Fields, known: Fields): Fields {
  const fillOne = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`nothing is known of {${name}}`);
      return value;
    });
  return Object.fromEntries(Object.entries(recorded).map(([name, text]) => [name, fillOne(text)]));
}

/** Registers, or publishes its document; the client's id. */
async function introduce({ registration, document, headers }: RecordedClient): Promise<string> {
  if (document !== undefined) {
    web.documents.set(document.client_id, document);
    return document.client_id;
  }
  const { status, body } = await endpoints.register(registration, headers);
  if (status !== 201) throw new Error(`the registration answers ${status} ${JSON.stringify(body)}`);
  return String(body.client_id);
}

async function connect(recorded: RecordedClient, clientId: string) {
  const { verifier, challenge } = createPkce();
  const known = {
    base_url: stack.baseUrl,
    client_id: clientId,
    state: randomUUID(),
    code_challenge: challenge,
    code_verifier: verifier,
  };
  const { browser } = await addOwner(stack);
  const page = await openConsentPage(browser, endpoints.authorizeUrl(fill(recorded.authorization, known)));
  const callback = await decide(browser, page);
  const code = callback.searchParams.get('code') ?? '';
  const answer = await endpoints.token(fill(recorded.token, { ...known, code }), recorded.headers);
  return { known, page, callback, answer };
}

/** The same client after its next start, when the system gives it another port. */
function onAnotherPort(recorded: RecordedClient): RecordedClient {
  const move = (fields: Fields) => ({
    ...fields,
    redirect_uri: String(fields.redirect_uri).replace(/:\d+\//, ':61234/'),
  });
  return { ...recorded, authorization: move(recorded.authorization), token: move(recorded.token) };
}

async function apiStatuses(accessToken: string): Promise<[read: number, write: number]> {
  const client = stack.client(accessToken);
  return [(await client.get('/me')).status, (await client.post('/tasks', { title: 'x' })).status];
}

for (const recorded of recordedClients) {
  const { name, registration, document, authorization, refresh, headers } = recorded;

  test(`${name} connects, works and renews as it was recorded`, async (t) => {
    const clientId = await introduce(recorded);
    const { known, page, callback, answer } = await connect(recorded, clientId);
    t.true(page.text.includes(String((registration ?? document)?.client_name)));
    if (document !== undefined) t.true(page.text.includes(new URL(clientId).host));

    t.true(callback.href.startsWith(`${authorization.redirect_uri}?`), callback.href);
    t.is(callback.searchParams.get('state'), known.state);
    t.is(callback.searchParams.get('iss'), stack.baseUrl);

    t.is(answer.status, 200, JSON.stringify(answer.body));
    t.is(answer.body.scope, 'read write');
    t.is(decodeJwt(answer.body.access_token).aud, stack.apiRoot);
    t.is(answer.headers.get('access-control-allow-origin'), '*');
    t.deepEqual(await apiStatuses(answer.body.access_token), [200, 201]);

    const { refresh_token } = answer.body;
    const renewed = await endpoints.token(fill(refresh, { ...known, refresh_token }), headers);
    t.is(renewed.status, 200, JSON.stringify(renewed.body));
    t.deepEqual(await apiStatuses(renewed.body.access_token), [200, 201]);
    const again = await endpoints.token(
      fill(refresh, { ...known, refresh_token: renewed.body.refresh_token }),
      headers,
    );
    t.is(again.status, 200, JSON.stringify(again.body));
  });
}

for (const recorded of recordedClients.filter(({ authorization }) =>
  authorization.redirect_uri?.startsWith('http:'),
)) {
  test(`${recorded.name} connects on another port after its next start (RFC 8252 §7.3)`, async (t) => {
    const restarted = onAnotherPort(recorded);
    const { callback, answer } = await connect(restarted, await introduce(recorded));
    t.is(callback.port, '61234');
    t.is(answer.status, 200, JSON.stringify(answer.body));
  });
}
