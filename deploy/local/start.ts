const neededNode = 26;

if (Number.parseInt(process.versions.node, 10) < neededNode) {
  console.error(
    `This needs Node.js ${neededNode} or newer, and this is ${process.versions.node}: ` +
      'run "npm start", which brings its own.',
  );
  process.exit(1);
}

// Imported after the version check: an older Node cannot parse these files.
const { readLocalConfig } = await import('./local-config.ts');
const { createConsoleOutput } = await import('./console-output.ts');
const { runLocal } = await import('./run-local.ts');
const { exitOnConfigError } = await import('#shared/config/read-env.ts');
const { newSigningKeysOption } = await import('./key-encryption-secret.ts');

const parameters = process.argv.slice(2);
const watchOption = '--watch';
const unknown = parameters.find((parameter) => ![newSigningKeysOption, watchOption].includes(parameter));
if (unknown !== undefined) {
  const known = `${watchOption}, to build the web app again after each change, and ${newSigningKeysOption}`;
  console.error(`unknown argument «${unknown}»; there are ${known}, for a lost KEY_ENCRYPTION_SECRET`);
  process.exit(2);
}

const config = exitOnConfigError(() => readLocalConfig(process.env));
// The embedded server has no certificate. The driver reads this itself, here and in programs started below.
if (config.databaseUrl === undefined) process.env.PGSSLMODE = 'disable';
const stopping = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stopping.abort());
if (config.isStartedByNpm) {
  // npm does not forward SIGKILL.
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && stopping.abort(), 500).unref();
}
// EPIPE must not end this process before it has stopped its parts.
process.stdout.on('error', () => undefined);
process.stderr.on('error', () => undefined);

const output = createConsoleOutput(config.logLevel, (line) => process.stdout.write(`${line}\n`));
const newSigningKeys = parameters.includes(newSigningKeysOption);
const watch = parameters.includes(watchOption);
process.exit(await runLocal({ config, output, stopping, newSigningKeys, watch }));

export {};
