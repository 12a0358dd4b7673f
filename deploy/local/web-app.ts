import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endOf, type ProcessEnd, spawnDependent, stopProcess } from './child-process.ts';

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

type WebAppWatch = { pid: number; ended: Promise<ProcessEnd>; stop(): Promise<void> };

/** Rebuilds after each change of the sources. */
export function watchWebApp(directory: string, onLine: (line: string) => void): WebAppWatch {
  const child = spawnDependent(process.execPath, [program, directory, '--watch'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const input of [child.stdout, child.stderr]) {
    if (input) createInterface({ input }).on('line', onLine);
  }
  if (child.pid === undefined) throw new Error('the build of the web app could not be started');
  return { pid: child.pid, ended: endOf(child), stop: () => stopProcess(child) };
}
