import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import PQueue from 'p-queue';

const run = promisify(execFile);
const program = fileURLToPath(new URL('./shrink-image.ts', import.meta.url));
const projectFolder = fileURLToPath(new URL('../../../../', import.meta.url));
const timeoutMilliseconds = 5_000;
const maximumBytes = 65_536;

const packages = `${projectFolder}node_modules`;
/** node_modules may be a symbolic link. */
const ownCode = [packages, realpathSync(packages), `${projectFolder}package.json`, program];

/** The process may read only its own code, has no network and at most 96 MB. */
const limits = [
  '--permission',
  ...ownCode.map((file) => `--allow-fs-read=${file}`),
  '--wasm-max-mem-pages=1536',
  '--max-old-space-size=64',
];

/** Each process takes a core and up to 150 MB. */
const queue = new PQueue({ concurrency: 1 });

/**
 * Re-encodes an untrusted PNG, JPEG, WebP or GIF as a small PNG, in a separate process without permissions
 * that is killed on a timeout. Rejects for anything else.
 */
export function reencodeImage(image: Buffer): Promise<Buffer> {
  return queue.add(() => runWithoutRights([program], image));
}

/** Runs `script` on `input` within the limits and returns its output. Rejects if it fails. */
export async function runWithoutRights(script: readonly string[], input: Buffer): Promise<Buffer> {
  const running = run(process.execPath, [...limits, ...script], {
    encoding: 'buffer',
    env: {},
    timeout: timeoutMilliseconds,
    killSignal: 'SIGKILL',
    maxBuffer: maximumBytes,
  });
  // The process may refuse its input before reading all of it.
  running.child.stdin?.on('error', () => undefined).end(input);
  return (await running).stdout;
}
