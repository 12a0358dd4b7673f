import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { runProgram } from './child-process.ts';

const program = path.join(import.meta.dirname, '../../services/web-app/build.ts');

/** Builds the web app, unless the folder contains the build of these sources. esbuild reports errors. */
export async function buildWebApp(directory: string, signal: AbortSignal): Promise<void> {
  const child = spawn(process.execPath, [program, directory], {
    signal,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error('The web app could not be built.');
}

/** Rebuilds after each change of the sources. */
export function watchWebApp(directory: string, onLine: (line: string) => void) {
  return runProgram([program, directory, '--watch'], {}, onLine);
}
