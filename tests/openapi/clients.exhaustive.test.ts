import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { build } from 'esbuild';
import { startStack } from '#tests/support/stack.ts';
import { type DeclareTest, testWithProgram } from '#tests/support/test-with-program.ts';
import { installLocked } from '#tools/install-locked.ts';

const run = promisify(execFile);
const stack = await startStack(test);
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
