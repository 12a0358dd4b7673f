import { createHash } from 'node:crypto';
import test from 'ava';
import { outcomeOf } from './authorization-outcome.ts';
import { createPkce, defaultRedirectUri, type Parameters } from './oauth-endpoints.ts';
import { authorizationRequest, obtainCode, registerClient, startOAuthWorld } from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const { endpoints, stack } = world;
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());

const refusedRequest = {
  status: 303,
  target: defaultRedirectUri,
  error: 'invalid_request',
  state: 'state-1',
  iss: stack.baseUrl,
};

const { challenge } = createPkce();
const weakRequests: Record<string, Parameters> = {
  'without a code_challenge (RFC 9700 §2.1.1)': {
    code_challenge: undefined,
    code_challenge_method: undefined,
  },
  'with a method and no code_challenge (RFC 7636 §4.4.1)': { code_challenge: undefined },
  'with an empty code_challenge (RFC 6749 §3.1)': { code_challenge: '' },
  'without a method, which would mean plain (RFC 7636 §4.3)': { code_challenge_method: undefined },
  'with an empty method (RFC 7636 §4.3)': { code_challenge_method: '' },
  'with the method plain (RFC 9700 §2.1.1)': { code_challenge_method: 'plain' },
  'with a method in the wrong case (RFC 7636 §4.3)': { code_challenge_method: 's256' },
  'with a method nobody knows (RFC 7636 §4.4.1)': { code_challenge_method: 'S512' },
  'with a short code_challenge (RFC 7636 §4.2)': { code_challenge: challenge.slice(1) },
  'with a code_challenge of other characters (RFC 7636 §4.2)': { code_challenge: `${challenge.slice(1)}!` },
  'with two code_challenges (RFC 6749 §3.1)': { code_challenge: [challenge, challenge] },
  'with two methods (RFC 6749 §3.1)': { code_challenge_method: ['S256', 'plain'] },
};

for (const [what, changes] of Object.entries(weakRequests)) {
  test(`an authorization request is refused ${what}`, async (t) => {
    const answer = await endpoints.authorize(authorizationRequest(clientId, changes).parameters);
    t.deepEqual(outcomeOf(answer), refusedRequest);
  });
}

test('a code is worth nothing without its verifier, and is not used up by who lacks it (RFC 7636 §4.6)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const verifier = String(redemption.code_verifier);
  const wrongVerifiers: [string | undefined, string][] = [
    [undefined, 'invalid_grant'],
    ['', 'invalid_grant'],
    [createPkce().verifier, 'invalid_grant'],
    [createHash('sha256').update(verifier).digest('base64url'), 'invalid_grant'],
    [verifier.toUpperCase(), 'invalid_grant'],
    [`${verifier}A`, 'invalid_grant'],
    [verifier.slice(0, 42), 'invalid_request'],
    ['A'.repeat(129), 'invalid_request'],
    [`${verifier.slice(1)}+`, 'invalid_request'],
    [`${verifier.slice(1)}é`, 'invalid_request'],
  ];
  for (const [codeVerifier, error] of wrongVerifiers) {
    const { status, body } = await endpoints.token({ ...redemption, code_verifier: codeVerifier });
    t.deepEqual([status, body.error], [400, error], codeVerifier);
  }
  const twice = await endpoints.token({ ...redemption, code_verifier: [verifier, verifier] });
  t.deepEqual([twice.status, twice.body.error], [400, 'invalid_request']);
  t.is((await endpoints.token(redemption)).status, 200);
});

test('a stolen code can’t be injected into another session of the same client (RFC 9700 §4.5.3.1)', async (t) => {
  const [victim, attacker] = [await obtainCode(world, { clientId }), await obtainCode(world, { clientId })];
  const injected = { ...attacker.redemption, code: victim.redemption.code };
  t.like(await endpoints.token(injected), { status: 400, body: { error: 'invalid_grant' } });
  t.is((await endpoints.token(victim.redemption)).status, 200);
  t.is((await endpoints.token(attacker.redemption)).status, 200);
});

test('a verifier for a code that was issued without a challenge is refused (RFC 9700 §4.8.2)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const hash = createHash('sha256').update(String(redemption.code)).digest();
  await stack.sql`update auth.oauth_token
    set payload = ((payload::jsonb - 'codeChallenge') - 'codeChallengeMethod')::text where token_hash = ${hash}`;
  t.like(await endpoints.token(redemption), { status: 400, body: { error: 'invalid_grant' } });
});

test('clients can see that PKCE is required and how (RFC 9700 §2.1.1)', async (t) => {
  const metadata = await stack.site.get('/.well-known/oauth-authorization-server');
  t.deepEqual(metadata.body.code_challenge_methods_supported, ['S256']);
});
