import test from 'ava';
import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { rotateSigningKeys } from '#auth-server/admin/key-admin.ts';
import { keyEncryptionSecret } from '#tests/auth/auth-replicas.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import {
  authorizationRequest,
  type ConnectedApp,
  connectApp,
  decide,
  openConsentPage,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

/** Two replicas of each service, taken in turn unless one is named. */
const turns = { fixed: undefined as 0 | 1 | undefined, count: 0 };

const world = await startOAuthWorld(undefined, {
  chooseReplica() {
    turns.count += 1;
    return turns.fixed ?? (turns.count % 2 === 0 ? 0 : 1);
  },
});
const { stack, endpoints, browser } = world;
test.after.always(stack.close);

async function published(): Promise<JSONWebKeySet> {
  return (await stack.site.get<JSONWebKeySet>('/oauth/jwks')).body;
}

function keyIdOf(token: string): string | undefined {
  return decodeProtectedHeader(token).kid;
}

function rotate() {
  return rotateSigningKeys(stack.databaseUrl, keyEncryptionSecret);
}

async function refreshed(app: ConnectedApp): Promise<ConnectedApp> {
  const { status, body } = await endpoints.token(refreshRequest(app));
  if (status !== 200) throw new Error(`a refresh is answered with ${status} ${body.error}`);
  return { ...app, tokens: body };
}

test.serial('two rotations amid refreshes and API requests fail none of them', async (t) => {
  const apps: ConnectedApp[] = [];
  while (apps.length < 3) apps.push(await connectApp(world));
  const first = apps.map(({ tokens }) => tokens.access_token);
  const [initialKeyId] = first.map(keyIdOf);
  const signers: (string | undefined)[] = [];
  const statuses: number[] = [];
  let isUnderWay = true;

  const keepWorking = async (connected: ConnectedApp) => {
    let app = connected;
    while (isUnderWay) {
      app = await refreshed(app);
      const { access_token: token } = app.tokens;
      // The other replica publishes a key before anything is signed with it.
      await jwtVerify(token, createLocalJWKSet(await published()));
      signers.push(keyIdOf(token));
      statuses.push(await endpoints.me(token), await endpoints.me(connected.tokens.access_token));
    }
  };
  const rotateAndWait = async () => {
    const { currentKeyId } = await rotate();
    const isSignedByAll = () => signers.length >= 12 && signers.slice(-12).every((id) => id === currentKeyId);
    await waitFor(isSignedByAll, { timeoutMilliseconds: 60_000, what: 'tokens of the new key alone' });
    return currentKeyId;
  };
  const load = Promise.all(apps.map(keepWorking));
  const rotations = (async () => [await rotateAndWait(), await rotateAndWait()])();
  const keyIds = await Promise.race([rotations, load.then(() => [])]).finally(() => {
    isUnderWay = false;
  });
  await load;

  t.deepEqual(
    statuses.filter((status) => status !== 200),
    [],
  );
  t.is(new Set([initialKeyId, ...keyIds]).size, 3);
  t.true([...new Set(signers)].every((id) => [initialKeyId, ...keyIds].includes(id ?? '')));
  for (const token of first) t.is(await endpoints.me(token), 200, 'a token of the key before the last');
});

test.serial(
  'each replica publishes the current, the next and the retired keys, and accepts them',
  async (t) => {
    const app = await connectApp(world);
    const { currentKeyId, nextKeyId, retiredKeyId } = await rotate();
    t.is(keyIdOf(app.tokens.access_token), retiredKeyId);
    for (const replica of [0, 1] as const) {
      turns.fixed = replica;
      const keyIds = await waitFor(
        async () => {
          const ids = (await published()).keys.map(({ kid }) => kid);
          return ids.includes(nextKeyId) && ids;
        },
        { timeoutMilliseconds: 20_000, what: 'the replica to publish the new key' },
      );
      t.deepEqual(keyIds.slice(0, 3), [currentKeyId, nextKeyId, retiredKeyId]);
      const latest = await connectApp(world);
      t.is(keyIdOf(latest.tokens.access_token), currentKeyId);
      t.is(await endpoints.me(latest.tokens.access_token), 200);
      t.is(await endpoints.me(app.tokens.access_token), 200);
    }
    turns.fixed = undefined;
  },
);

test.serial('an authorization that was begun before a rotation is finished after it', async (t) => {
  const clientId = await registerClient(world);
  const { parameters, verifier, redirectUri } = authorizationRequest(clientId);
  const page = await openConsentPage(browser, endpoints.authorizeUrl(parameters));
  const { currentKeyId } = await rotate();
  const waiting = await connectApp(world);
  let latest = waiting;
  const isNoticed = async () => {
    latest = await refreshed(latest);
    return keyIdOf(latest.tokens.access_token) === currentKeyId;
  };
  await waitFor(isNoticed, { timeoutMilliseconds: 20_000, what: 'a token of the new key' });
  const target = await decide(browser, page);
  const { status, body } = await endpoints.token({
    grant_type: 'authorization_code',
    code: target.searchParams.get('code') ?? '',
    client_id: clientId,
    redirect_uri: redirectUri,
    code_verifier: verifier,
  });
  t.is(status, 200);
  t.is(await endpoints.me(body.access_token), 200);
});
