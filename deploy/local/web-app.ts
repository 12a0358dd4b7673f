import path from 'node:path';
import { completeProgram, runProgram } from './child-process.ts';

const program = path.join(import.meta.dirname, '../../services/web-app/build.ts');

/** Builds the web app, unless the folder contains the build of these sources. esbuild reports errors. */
export function buildWebApp(directory: string, signal: AbortSignal): Promise<void> {
  return completeProgram([program, directory], { signal }, 'The web app could not be built.');
}

/** Rebuilds after each change of the sources. */
export function watchWebApp(directory: string, onLine: (line: string) => void) {
  return runProgram([program, directory, '--watch'], {}, onLine);
}
