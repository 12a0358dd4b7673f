import test from 'ava';
import { asked, outcomeOf } from './authorization-outcome.ts';
import { defaultRedirectUri } from './oauth-endpoints.ts';
import { authorizationRequest, authorize, registerClient, startOAuthWorld } from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const { endpoints, stack } = world;
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());

const sentBack = { status: 303, target: defaultRedirectUri, state: 'state-1', iss: stack.baseUrl };
const types = [
  'token',
  'id_token',
  'none',
  'code token',
  'code id_token',
  'id_token token',
  'code id_token token',
  'code code',
  'CODE',
  'code ',
  'code\0',
  'device_code',
];

for (const responseType of types) {
  test(`response_type ${JSON.stringify(responseType)} is refused, by query (RFC 9700 §2.1.2, RFC 6749 §4.1.2.1)`, async (t) => {
    const answer = await endpoints.authorize(
      authorizationRequest(clientId, { response_type: responseType }).parameters,
    );
    t.deepEqual(outcomeOf(answer), { ...sentBack, error: 'unsupported_response_type' });
    t.notRegex(answer.headers.get('location') ?? '', /#|access_token|id_token=/);
  });
}

const modes = [
  'fragment',
  'form_post',
  'web_message',
  'jwt',
  'query.jwt',
  'fragment.jwt',
  'Query',
  'query ',
  'x',
];

for (const responseMode of modes) {
  test(`response_mode ${JSON.stringify(responseMode)} is refused, by query (specification §4)`, async (t) => {
    const answer = await endpoints.authorize(
      authorizationRequest(clientId, { response_mode: responseMode }).parameters,
    );
    t.deepEqual(outcomeOf(answer), { ...sentBack, error: 'unsupported_response_mode' });
    t.notRegex(answer.headers.get('location') ?? '', /#/);
    t.notRegex(answer.body, /<form/);
  });

  test(`response_mode ${JSON.stringify(responseMode)} is no way for other errors either (specification §4)`, async (t) => {
    for (const changes of [{ scope: 'admin' }, { response_type: 'token' }, { code_challenge: undefined }]) {
      const answer = await endpoints.authorize(
        authorizationRequest(clientId, { ...changes, response_mode: responseMode }).parameters,
      );
      t.like(outcomeOf(answer), sentBack);
      t.notRegex(answer.headers.get('location') ?? '', /#/);
    }
  });
}

test('the mode query may be named or left out (specification §4)', async (t) => {
  for (const responseMode of ['query', '', undefined]) {
    const { parameters } = authorizationRequest(clientId, { response_mode: responseMode });
    t.deepEqual(outcomeOf(await endpoints.authorize(parameters)), asked);
    const target = await authorize(world, parameters);
    t.deepEqual([...target.searchParams.keys()].sort(), ['code', 'iss', 'state']);
    t.is(target.hash, '');
  }
});

test('metadata lists the code alone, by query alone (RFC 8414 §2)', async (t) => {
  const { body } = await stack.site.get('/.well-known/oauth-authorization-server');
  t.deepEqual(body.response_types_supported, ['code']);
  t.deepEqual(body.response_modes_supported, ['query']);
});
