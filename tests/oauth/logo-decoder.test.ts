import { createServer } from 'node:http';
import test from 'ava';
import { runWithoutRights } from '#auth-server/clients/reencode-image.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';

/** What a picture could do that took over the process that decodes it. */
async function takeOver(code: string): Promise<string> {
  const script = `${code}
    .then((value) => 'done: ' + value, (error) => error.code ?? error.name)
    .then((outcome) => process.stdout.write(outcome))`;
  const output = await runWithoutRights(['--input-type=module', '--eval', script], Buffer.alloc(0));
  return output.toString();
}

test('code in the decoder of logos does nothing but compute', async (t) => {
  t.is(await takeOver('Promise.resolve(6 * 7)'), 'done: 42');
});

const files = {
  'reads no file of the system': `import('node:fs/promises').then((fs) => fs.readFile('/etc/passwd', 'utf8'))`,
  'reads no source of the service': `import('node:fs/promises').then((fs) => fs.readFile(${JSON.stringify(import.meta.filename)}))`,
  'writes no file': `import('node:fs/promises').then((fs) => fs.writeFile('/tmp/from-a-logo', 'x'))`,
  'starts no program': `import('node:child_process').then(({ execFileSync }) => execFileSync('/bin/true'))`,
  'starts no thread': `import('node:worker_threads').then(({ Worker }) => new Worker('1', { eval: true }))`,
};

for (const [what, code] of Object.entries(files))
  test(`code in the decoder of logos ${what}`, async (t) => {
    t.is(await takeOver(code), 'ERR_ACCESS_DENIED');
  });

test('code in the decoder of logos reaches no host', async (t) => {
  let requests = 0;
  const server = createServer((_req, res) => {
    requests += 1;
    res.end();
  });
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  const url = JSON.stringify(`http://127.0.0.1:${port}/`);
  const asked = `import('node:http').then((http) => new Promise((resolve, reject) =>
    http.get(${url}, () => resolve('asked')).on('error', reject)))`;
  t.is(await takeOver(asked), 'ERR_ACCESS_DENIED');
  t.is(requests, 0);
});

test('code in the decoder of logos has 96 MB of WebAssembly, and none of the service’s secrets', async (t) => {
  t.is(
    await takeOver(`Promise.resolve().then(() => new WebAssembly.Memory({ initial: 1 }).grow(1_500))`),
    'done: 1',
  );
  t.is(
    await takeOver(`Promise.resolve().then(() => new WebAssembly.Memory({ initial: 1 }).grow(1_600))`),
    'RangeError',
  );
  t.is(await takeOver('Promise.resolve(Object.keys(process.env).join())'), 'done: ');
});
