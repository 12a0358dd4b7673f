/*
 * Builds the web app: `node services/web-app/build.ts DIRECTORY [--watch]`. Nothing is written where
 * DIRECTORY holds the build of these very sources. Exit code 1: the sources do not build; 2: called wrongly.
 */
import { buildApp } from './build-app.ts';
import { onSourceChange } from './build-sources.ts';

const [directory, option, ...rest] = process.argv.slice(2);

if (directory === undefined || rest.length > 0 || (option !== undefined && option !== '--watch')) {
  process.stderr.write('Usage: build.ts DIRECTORY [--watch]\n');
  process.exitCode = 2;
} else {
  await build(directory);
  if (option === '--watch') {
    await onSourceChange(async () => {
      await build(directory);
      process.exitCode = 0;
    });
  }
}

/** esbuild has printed what is wrong with the sources. */
async function build(into: string): Promise<void> {
  try {
    const { isNew, milliseconds } = await buildApp(into);
    if (isNew) process.stdout.write(`The web app is built (${milliseconds} ms).\n`);
  } catch {
    process.exitCode = 1;
  }
}
