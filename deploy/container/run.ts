import { exitOnConfigError } from '#shared/config/read-env.ts';
import { programs, usage } from './program.ts';
import { readSecretFiles } from './secret-files.ts';

/*
 * The image's entry point: `node deploy/container/run.ts PROGRAM [ARGUMENTS]`. Exit code 2: unknown program;
 * 1: a secret file cannot be used; otherwise the program's.
 */
const [name, ...rest] = process.argv.slice(2);
const program = programs.find((candidate) => candidate.name === name);

if (program !== undefined) {
  const secrets = exitOnConfigError(() => readSecretFiles(process.env));
  Object.assign(process.env, secrets);
  // Programs read their arguments as if started directly.
  process.argv.splice(2, process.argv.length, ...rest);
  await program.run();
} else if (name === '--help') {
  console.log(usage());
} else {
  const problem = name === undefined ? 'no program was named' : `there is no program «${name}»`;
  console.error(`${problem}\n\n${usage()}`);
  process.exitCode = 2;
}
