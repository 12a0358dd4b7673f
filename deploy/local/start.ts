const NEEDED_NODE = 26;

if (Number.parseInt(process.versions.node, 10) < NEEDED_NODE) {
  console.error(
    `This needs Node.js ${NEEDED_NODE} or newer, and this is ${process.versions.node}: run "npm start", which brings its own.`,
  );
  process.exit(1);
}

// Imported only now: an older Node could not even read these files.
const { readLocalConfig } = await import('./local-config.ts');
const { createConsoleOutput } = await import('./console-output.ts');
const { watchForStop } = await import('./stop-request.ts');
const { runLocal } = await import('./run-local.ts');
const { ConfigError } = await import('#shared/config/config-error.ts');

// A closed terminal or pipe must not end the launcher before it has stopped its parts.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

try {
  const config = readLocalConfig(process.env);
  const output = createConsoleOutput(config.logLevel, (line) => process.stdout.write(`${line}\n`));
  const { signal } = watchForStop(config.isStartedByNpm);
  process.exit(await runLocal({ config, output, signal }));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exit(1);
}

export {};
