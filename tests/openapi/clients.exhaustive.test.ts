import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { build } from 'esbuild';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { addOwner, authorize } from '#tests/oauth/oauth-flow.ts';
import type { OpenApiDocument } from '#tests/support/openapi-document.ts';
import { startStack } from '#tests/support/stack.ts';
import { type DeclareTest, testWithProgram } from '#tests/support/test-with-program.ts';
import { installLocked } from '#tools/install-locked.ts';

const run = promisify(execFile);
const stack = await startStack(test, { withAuthServer: true });
type CodeSample = { label: string; source: string };
type SampledOperation = { operationId: string; 'x-codeSamples'?: CodeSample[] };

async function readSamples(): Promise<SampledOperation[]> {
  const { body: document } = await stack.anonymous.get<OpenApiDocument>('/openapi.json');
  return Object.values(document.paths)
    .flatMap((item) => Object.values(item as Record<string, SampledOperation>))
    .filter((operation) => operation['x-codeSamples'] !== undefined);
}

/** Everything that can be done in a new account, in an order in which it succeeds. */
const order = [
  ...['getIdentity', 'exchangeToken', 'createArea', 'listAreas', 'getArea', 'updateArea'],
  ...['createProject', 'listProjects', 'getProject', 'updateProject'],
  ...['createSection', 'listSections', 'updateSection'],
  ...['createTask', 'listTasks', 'getTask', 'updateTask', 'moveTask', 'listProjectTasks', 'skipTask'],
  ...['cancelTask', 'uncancelTask', 'completeTask', 'uncompleteTask', 'deleteTask', 'restoreTask'],
  ...['deleteSection', 'completeProject', 'uncompleteProject', 'deleteProject', 'deleteArea'],
];
/** Of an app: `requestToken` comes after its user has allowed it. */
const appOrder = [
  ...['getAuthorizationServerMetadata', 'getHostResourceMetadata', 'getResourceMetadata', 'getSigningKeys'],
  ...['registerClient', 'authorize', 'requestToken', 'revokeToken'],
];
/** Those of the other languages differ from curl's in their templates alone. */
const mainOperations = new Set([
  ...['getIdentity', 'exchangeToken', 'createProject', 'createSection', 'deleteSection'],
  ...['createTask', 'listTasks', 'updateTask', 'completeTask', 'deleteTask'],
]);
/** The variable that holds the id of what was created. */
const idVariables: Readonly<Record<string, string>> = {
  createArea: 'AREA_ID',
  createProject: 'PROJECT_ID',
  createSection: 'SECTION_ID',
  createTask: 'TASK_ID',
};

const languages = [
  { label: 'curl', program: 'sh', fileName: 'sample.sh' },
  { label: 'JavaScript', program: process.execPath, fileName: 'sample.mjs' },
  { label: 'Python', program: 'python3', fileName: 'sample.py' },
];

/** What a person’s browser brings back when they allow what the sample of `authorize` asks for. */
async function codeFor(clientId: string): Promise<string> {
  const { browser } = await addOwner(stack);
  const target = await authorize(
    { endpoints: createOAuthEndpoints(stack.baseUrl), browser },
    {
      response_type: 'code',
      client_id: clientId,
      redirect_uri: 'http://127.0.0.1:49152/callback',
      // RFC 7636, appendix B
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    },
  );
  return target.searchParams.get('code') ?? '';
}

test('every operation has a sample in each language', async (t) => {
  const sampled = await readSamples();
  t.deepEqual(sampled.map(({ operationId }) => operationId).toSorted(), [...order, ...appOrder].toSorted());
  for (const operation of sampled)
    t.deepEqual(
      operation['x-codeSamples']?.map(({ label }) => label),
      languages.map(({ label }) => label),
      operation.operationId,
    );
});

for (const { label, program, fileName } of languages) {
  const isInstalled = label !== 'Python' || spawnSync('python3', ['-c', 'import requests']).status === 0;
  testWithProgram(`what runs samples in ${label}`, isInstalled)(
    `the samples in ${label} work as they are in a new account`,
    async (t) => {
      const sampled = await readSamples();
      const { token } = await stack.newClient({ plan: 'free' });
      const folder = await mkdtemp(path.join(tmpdir(), 'code-samples-'));
      t.teardown(() => rm(folder, { recursive: true }));
      const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, API_TOKEN: token.secret };
      const send = async (operationId: string): Promise<Record<string, string>> => {
        const operation = sampled.find((candidate) => candidate.operationId === operationId);
        const sample = operation?.['x-codeSamples']?.find((candidate) => candidate.label === label);
        const file = path.join(folder, fileName);
        await writeFile(file, sample?.source ?? '');
        const { stdout } = await run(program, [file], { env });
        // curl shows the body alone, which a response without content has none of.
        const [, status = '2xx', body = ''] = /^(\d{3} ?)?(.*)$/s.exec(stdout.trim()) ?? [];
        t.true(status.startsWith('2'), `${operationId}: ${stdout}`);
        if (!body.startsWith('{')) return {};
        const response: Record<string, string> = JSON.parse(body);
        t.is(response.errorCode ?? response.error, undefined, operationId);
        return response;
      };
      for (const operationId of order.filter((id) => label === 'curl' || mainOperations.has(id))) {
        const { id } = await send(operationId);
        const variable = idVariables[operationId];
        if (variable) env[variable] = id;
      }
      for (const operationId of appOrder) {
        if (operationId === 'requestToken') env.CODE = await codeFor(String(env.CLIENT_ID));
        const { client_id: clientId, refresh_token: refreshToken } = await send(operationId);
        Object.assign(
          env,
          clientId && { CLIENT_ID: clientId },
          refreshToken && { REFRESH_TOKEN: refreshToken },
        );
      }
    },
  );
}

const programs = path.join(import.meta.dirname, 'client-generators');
const packages = path.join(import.meta.dirname, '../../node_modules/.cache/client-generators');
const folder = mkdtempSync(path.join(tmpdir(), 'generated-clients-'));
test.after.always(() => rmSync(folder, { recursive: true, force: true }));

/** The generators need another TypeScript than the project, so npm installs them beside it, once. */
function areGeneratorsInstalled(): boolean {
  try {
    installLocked(programs, packages);
    return true;
  } catch (error) {
    const isRegistryReachable = spawnSync('npm', ['ping']).status === 0;
    if (isRegistryReachable) throw error;
    return false;
  }
}

const hasPython = ['openapi-python-client --version', 'python3 -c "import httpx, attrs"'].every(
  (command) => spawnSync(command, { shell: true }).status === 0,
);
const documentUrl = `${stack.apiRoot}/openapi.json`;
const withNode: DeclareTest = testWithProgram('a client generator of npm', areGeneratorsInstalled());
const withPython: DeclareTest = testWithProgram('openapi-python-client', hasPython);
cpSync(programs, folder, { recursive: true });
symlinkSync(path.join(packages, 'node_modules'), path.join(folder, 'node_modules'));

/** What a client program printed, whose arguments are the service's address and a token of a new account. */
async function resultsOf(program: string, ...words: string[]): Promise<unknown> {
  const { token } = await stack.newClient();
  const { stdout } = await run(program, [...words, stack.baseUrl, token.secret], { cwd: folder });
  return JSON.parse(stdout);
}

const expected = {
  created: 'Water the plants',
  listed: true,
  patched: null,
  completed: 'completed',
  refused: 'validation_error',
};

async function typeScriptResults(name: string, generator: string, output: string): Promise<unknown> {
  const bin = (command: string) => path.join(packages, 'node_modules/.bin', command);
  const generated = generator === 'openapi-ts' ? ['-i', documentUrl] : [documentUrl];
  await run(bin(generator), [...generated, '-o', `generated/${output}`], { cwd: folder });
  await run(bin('tsc'), ['--project', `tsconfig.${name}.json`], { cwd: folder });
  const entry = path.join(folder, `${name}.ts`);
  const outfile = path.join(folder, `${name}.mjs`);
  await build({ entryPoints: [entry], outfile, bundle: true, format: 'esm', platform: 'node' });
  return resultsOf(process.execPath, outfile);
}

withNode('a client with the types of openapi-typescript works on tasks', async (t) => {
  t.deepEqual(
    await typeScriptResults('typed-fetch-client', 'openapi-typescript', 'typed-fetch.ts'),
    expected,
  );
});

withNode('a client that @hey-api/openapi-ts generates works on tasks', async (t) => {
  t.deepEqual(await typeScriptResults('hey-api-client', 'openapi-ts', 'hey-api'), expected);
});

withPython('a client that openapi-python-client generates works on tasks', async (t) => {
  const output = ['--output-path', 'generated_python', '--meta', 'none', '--fail-on-warning'];
  await run('openapi-python-client', ['generate', '--url', documentUrl, ...output], { cwd: folder });
  t.deepEqual(await resultsOf('python3', 'python_client.py'), expected);
});
