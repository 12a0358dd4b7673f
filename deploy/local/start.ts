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
const { exitOnConfigError } = await import('#shared/config/exit-on-config-error.ts');
const { NEW_SIGNING_KEYS } = await import('./key-encryption-secret.ts');

const parameters = process.argv.slice(2);
const unknown = parameters.find((parameter) => parameter !== NEW_SIGNING_KEYS);
if (unknown !== undefined) {
  console.error(
    `unknown argument «${unknown}»; there is ${NEW_SIGNING_KEYS} alone, for a lost KEY_ENCRYPTION_SECRET`,
  );
  process.exit(2);
}

// A closed terminal or pipe must not end the launcher before it has stopped its parts.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const config = exitOnConfigError(() => readLocalConfig(process.env));
const output = createConsoleOutput(config.logLevel, (line) => process.stdout.write(`${line}\n`));
const { signal } = watchForStop(config.isStartedByNpm);
process.exit(
  await runLocal({ config, output, signal, newSigningKeys: parameters.includes(NEW_SIGNING_KEYS) }),
);

export {};
