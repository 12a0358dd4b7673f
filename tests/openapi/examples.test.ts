import test from 'ava';
import { tokenExchange } from '#auth-server/token-exchange/token-exchange-operation.ts';
import { createDocument } from '#resource-api/openapi/document.ts';
import { routes } from '#resource-api/routes.ts';
import { escapeKey, type OpenApiDocument } from '#tests/support/openapi-document.ts';
import { createSchemaCheck } from '#tests/support/schema-check.ts';
import { createExampleCheck, type DocumentedResponse, find, type MediaType } from './read-document.ts';

const operations = [...routes.map(({ operation }) => operation), tokenExchange];
const document = createDocument('https://tasks.test', operations) as OpenApiDocument;
const checkSchema = createSchemaCheck(document);

const exampleFaults = createExampleCheck(document);

for (const { operationId, method, path, body, requestExample } of operations) {
  if (body === undefined) continue;
  test(`the example of a body of ${operationId} is what its document describes and the service accepts`, (t) => {
    const content = `/paths/${escapeKey(path)}/${method}/requestBody/content/application~1json`;
    t.deepEqual(exampleFaults(content), []);
    t.notThrows(() => body.validateSync(requestExample, { strict: true }));
  });
}

const responses = find<Record<string, DocumentedResponse>>(document, '/components/responses').value;
const oauthResponses = Object.keys(responses).filter((name) => name.startsWith('OAuth'));
const apiResponses = Object.keys(responses).filter((name) => !/^(OAuth|Request)/.test(name));

test('every error of the document has an example of its shape, for each of its codes', (t) => {
  t.true(apiResponses.length > 10);
  for (const name of apiResponses) {
    const pointer = `/components/responses/${name}/content/application~1json`;
    t.deepEqual(exampleFaults(pointer), [], name);
    const { schema, examples } = responses[name]?.content?.['application/json'] ?? {};
    t.deepEqual(Object.keys(examples ?? {}), schema?.allOf?.[1].properties.errorCode?.enum, name);
  }
});

test('every error that OAuth endpoints share has an example of its shape', (t) => {
  t.is(oauthResponses.length, 5);
  for (const name of oauthResponses)
    t.deepEqual(exampleFaults(`/components/responses/${name}/content/application~1json`), [], name);
});

test('an error with a code of another response is no valid example', (t) => {
  const { examples } = find<MediaType>(
    document,
    '/components/responses/NotFound/content/application~1json',
  ).value;
  const schema = '/components/responses/InvalidState/content/application~1json/schema';
  t.not(checkSchema(schema, examples?.not_found?.value).length, 0);
});
