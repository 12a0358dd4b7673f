import test from 'ava';
import { makeArea, makeProject, makeSection } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { fuzzDocument, readOperations } from './fuzz-document.ts';

/** The same seed sends the same requests. FUZZ_SEED and FUZZ_OPERATION, a regular expression, choose others. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const only = new RegExp(process.env.FUZZ_OPERATION ?? '');

const stack = await startStack(test, { withAuthServer: true });

test('the service does what its document promises, and refuses what it forbids', async (t) => {
  t.timeout(300_000);
  t.log(`seed ${seed}`);
  const results = await fuzzDocument(stack, { seed, runs: 40, only });
  t.deepEqual(
    results.flatMap(({ failures }) => failures),
    [],
  );
  t.deepEqual(
    results.filter(({ accepted }) => accepted === 0).map(({ operation }) => operation),
    [],
  );
});

test('a path answers 405 to every method that its operations do not have, and names those they have', async (t) => {
  const { operations } = await readOperations(stack);
  const { token } = await stack.newClient();
  const faults: string[] = [];
  for (const [path, own] of Map.groupBy(operations, (operation) => operation.path)) {
    const methods = own.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    const target = path.replace('{resourcePath}', 'mcp').replaceAll(/\{\w+\}/g, crypto.randomUUID());
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
      if (methods.includes(method)) continue;
      const headers = { Authorization: `Bearer ${token.secret}` };
      const answer = await stack.site.request(method, target, { headers });
      const allowed = (answer.headers.get('allow') ?? '').split(/, */).filter((name) => name !== 'OPTIONS');
      const isRight = answer.status === 405 && allowed.toSorted().join() === methods.toSorted().join();
      if (!isRight) faults.push(`${method} ${path}: ${answer.status}, Allow: ${allowed}`);
    }
  }
  t.deepEqual(faults, []);
});

test('what was deleted is not found again by any operation on it', async (t) => {
  const { operations } = await readOperations(stack);
  const client = await stack.newClient();
  const { id: areaId } = await makeArea(client);
  const [gone, kept] = [await makeProject(client), await makeProject(client)];
  const section = await makeSection(client, kept.id);
  const deleted = [`/areas/${areaId}`, `/projects/${gone.id}`, `/projects/${kept.id}/sections/${section.id}`];
  for (const path of deleted) t.is((await client.delete(path)).status, 204);
  const ofProjects = operations.filter(({ path }) => path.includes('/projects/{id}'));
  const concerned = [
    ...operations.filter(({ path }) => path.includes('/areas/{id}')).map((one) => ({ ...one, id: areaId })),
    ...ofProjects.filter(({ path }) => !path.includes('{sectionId}')).map((one) => ({ ...one, id: gone.id })),
    ...ofProjects.filter(({ path }) => path.includes('{sectionId}')).map((one) => ({ ...one, id: kept.id })),
  ];
  for (const { method, path, id, body } of concerned) {
    const target = path.replace('{id}', id).replace('{sectionId}', section.id);
    const headers = { Authorization: `Bearer ${client.token.secret}` };
    const options = body?.isRequired ? { headers, body: { title: 'Again' } } : { headers };
    t.is((await stack.site.request(method, target, options)).status, 404, `${method} ${path}`);
  }
});
