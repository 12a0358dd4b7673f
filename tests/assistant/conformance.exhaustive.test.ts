import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { startStack } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';

const program = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** What the suite asks of its own example server, or of a server that offers more or has no tokens. */
const notApplicable = [
  // Tools and resources of the example server.
  ...words(`tools-call-simple-text tools-call-image tools-call-audio tools-call-embedded-resource
    tools-call-mixed-content tools-call-error tools-call-with-progress resources-read-text
    resources-read-binary resources-templates-read`),
  // Not offered: logging, completion, prompts, subscriptions, questions to the client.
  ...words(`logging-set-level tools-call-with-logging completion-complete prompts-list
    prompts-get-simple prompts-get-with-args prompts-get-embedded-resource
    prompts-get-with-image resources-subscribe resources-unsubscribe tools-call-sampling
    tools-call-elicitation elicitation-sep1034-defaults elicitation-sep1330-enums`),
  // Needs a session, of which there is none.
  'server-sse-multiple-streams',
  // For servers without tokens: a rebound name brings no bearer header along.
  'dns-rebinding-protection',
];

test('the protocol’s conformance suite finds no fault in what applies', async (t) => {
  const stack = await startStack(t);
  const { token } = await stack.newClient();
  const address = await openProxy(t, stack.baseUrl, token.secret);
  const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const baseline = path.join(folder, 'not-applicable.yml');
  await writeFile(baseline, `server:\n${notApplicable.map((name) => `  - ${name}\n`).join('')}`);
  const { exitCode, output } = await run(
    ['server', '--url', address, '--expected-failures', baseline],
    folder,
  );
  for (const scenario of ['server-initialize', 'ping', 'tools-list', 'resources-list']) {
    t.regex(output, new RegExp(`✓ ${scenario}: 1 passed, 0 failed`));
  }
  // Also when a scenario of the list passes: it would apply after all.
  t.is(exitCode, 0, output);
});

function run(parameters: readonly string[], cwd: string): Promise<{ exitCode: unknown; output: string }> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [program, ...parameters],
      { cwd, timeout: 60_000 },
      (error, stdout, stderr) => {
        resolve({ exitCode: error === null ? 0 : error.code, output: stdout + stderr });
      },
    );
  });
}

/** The suite sends no token; what it sends else arrives unchanged. */
async function openProxy(t: ExecutionContext, baseUrl: string, secret: string): Promise<string> {
  const proxy = createServer((req, res) => {
    const headers = { ...req.headers, authorization: `Bearer ${secret}` };
    const onward = request(new URL(req.url ?? '/', baseUrl), { method: req.method, headers }, (answer) => {
      // A client that has what it wants may be gone.
      if (res.destroyed) return void answer.destroy();
      res.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, res, () => {});
    });
    pipeline(req, onward, () => {});
  });
  const { port, close } = await listenOnFreePort(proxy);
  t.teardown(close);
  return `http://127.0.0.1:${port}/mcp`;
}
