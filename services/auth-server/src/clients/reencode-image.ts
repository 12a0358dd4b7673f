import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pLimit from 'p-limit';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./shrink-image.ts', import.meta.url));
const projectFolder = fileURLToPath(new URL('../../../../', import.meta.url));
const timeoutMilliseconds = 5_000;
const maximumBytes = 65_536;

const packages = `${projectFolder}node_modules`;
/** The packages may be a link to another folder. */
const ownCode = [packages, realpathSync(packages), `${projectFolder}package.json`, program];

/** It may read its own code and nothing else, has no network, and decodes in at most 96 MB. */
const limits = [
  '--permission',
  ...ownCode.map((file) => `--allow-fs-read=${file}`),
  '--wasm-max-mem-pages=1536',
  '--max-old-space-size=64',
];

/** Each takes a core and up to 150 MB. */
const oneAtATime = pLimit(1);

/**
 * An untrusted PNG, JPEG, WebP or GIF as a small PNG. It is decoded in a process of its own, which has no rights and is
 * killed when it takes too long. Rejects for anything else.
 */
export function reencodeImage(image: Buffer): Promise<Buffer> {
  return oneAtATime(() => runWithoutRights([program], image));
}

/** What Node.js writes when it runs `script` on `input`, within the limits. Rejects when it fails. */
export async function runWithoutRights(script: readonly string[], input: Buffer): Promise<Buffer> {
  const running = run(process.execPath, [...limits, ...script], {
    encoding: 'buffer',
    env: {},
    timeout: timeoutMilliseconds,
    killSignal: 'SIGKILL',
    maxBuffer: maximumBytes,
  });
  // It need not read all of what it refuses.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout;
}
