import test from 'ava';
import { tokenExchange } from '#auth-server/token-exchange/token-exchange-operation.ts';
import { createDocument } from '#resource-api/openapi/document.ts';
import { routes } from '#resource-api/routes.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { escapeKey, type OpenApiDocument } from '#tests/support/openapi-document.ts';
import { createExampleCheck, find } from './read-document.ts';

const operations = [...routes.map(({ operation }) => operation), tokenExchange];
const document = createDocument('https://tasks.test', operations) as OpenApiDocument;
const exampleFaults = createExampleCheck(document);

for (const { operationId, method, path, body, requestExample } of operations) {
  if (body === undefined) continue;
  test(`the example of a body of ${operationId} is what its document describes and the service accepts`, (t) => {
    const content = `/paths/${escapeKey(apiRootPath + path)}/${method}/requestBody/content/application~1json`;
    t.deepEqual(exampleFaults(content), []);
    t.notThrows(() => body.validateSync(requestExample, { strict: true }));
  });
}

for (const path of ['/oauth/register', '/oauth/token', '/oauth/revoke']) {
  test(`the body of ${path} has examples of its own shape`, (t) => {
    const { pointer, value } = find<object>(document, '/paths', path, 'post', 'requestBody', 'content');
    for (const mediaType of Object.keys(value))
      t.deepEqual(exampleFaults(`${pointer}/${escapeKey(mediaType)}`), []);
  });
}
